//! The controls beside the viewport: brush, bones and commands; and what is over it, and takes the mouse.

use godot::classes::control::{LayoutPreset, MouseFilter, SizeFlags};
use godot::classes::tree_item::TreeCellMode;
use godot::classes::{
    BaseButton, Control, EditorInterface, EditorPlugin, GridContainer, Label, OptionButton,
    SpinBox, Tree, TreeItem, VBoxContainer,
};
use godot::prelude::*;
use tendon_nodes::engine::children::find_all;
use tendon_skin::Brush;

use crate::controls::{Fields, new_button, new_number, new_text};
use crate::engine_controls::calls;
use crate::painting::weighed::WeighedPolygon;
use crate::refusal::Refusal;

use crate::skin::colours::BoneColours;

/// The action of a drag with the mouse.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Set,
    Add,
    Smooth,
    Mark,
    Cut,
}

impl Tool {
    const ALL: [Self; 5] = [Self::Set, Self::Add, Self::Smooth, Self::Mark, Self::Cut];

    fn text(self) -> &'static str {
        match self {
            Self::Set => "Set",
            Self::Add => "Add",
            Self::Smooth => "Smooth",
            Self::Mark => "Mark Vertices",
            Self::Cut => "Cut",
        }
    }

    /// Returns the hint about the use of the mouse.
    fn hint(self) -> &'static str {
        match self {
            Self::Set | Self::Add => {
                "A drag paints the chosen bone. The brush Cut cuts the polygon along a line."
            }
            Self::Smooth => "A drag brings weights nearer to those beside.",
            Self::Mark => "A drag marks vertices: only they change then.",
            Self::Cut => "Draw a line over the polygon: it is cut along it.",
        }
    }

    /// Returns `true` if weights change while the mouse moves.
    pub(super) fn paints(self) -> bool {
        !matches!(self, Self::Mark | Self::Cut)
    }

    /// The title of the undo step of a stroke.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Smooth => "Smooth Weights",
            _ => "Paint Weights",
        }
    }
}

#[derive(Clone)]
pub(super) struct Panel {
    pub(super) root: Gd<VBoxContainer>,
    subject: Gd<Label>,
    tool: Gd<OptionButton>,
    weight: Gd<SpinBox>,
    radius: Gd<SpinBox>,
    strength: Gd<SpinBox>,
    shown: Gd<OptionButton>,
    hint: Gd<Label>,
    bones: Gd<Tree>,
    told: Gd<Label>,
}

impl Panel {
    /// Builds the panel, which calls methods of `plugin`.
    pub(super) fn new(plugin: &Gd<Node>) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let scale = EditorInterface::singleton().get_editor_scale();
        let mut root = VBoxContainer::new_alloc();
        root.set_name("Weights");
        root.set_custom_minimum_size(Vector2::new(190.0 * scale, 0.0));
        let subject = new_text(0.0);
        root.add_child(&subject);
        let mut fields = Fields::below(&root);
        let chosen = calls("on_chosen");
        let tools = Tool::ALL.map(Tool::text);
        let tool = fields.add_choice("Brush", TOOL_HELP, &tools, &chosen);
        let [weight, radius, strength] = [
            ("Weight", WEIGHT_HELP, (0.0, 1.0, 0.05), 1.0),
            ("Radius", RADIUS_HELP, (1.0, 500.0, 1.0), 40.0),
            ("Strength", STRENGTH_HELP, (0.01, 1.0, 0.01), 0.5),
        ]
        .map(|(title, help, range, value)| fields.add(title, help, &new_number(range, value, "")));
        let shown = ["All Bones", "Chosen Bone"];
        let shown = fields.add_choice("Colors", SHOWN_HELP, &shown, &chosen);
        let mut hint = new_text(0.0);
        hint.set_name("Hint");
        hint.set_modulate(Color::WHITE.with_alpha(0.7));
        root.add_child(&hint);
        let mut bones = Tree::new_alloc();
        bones.set_columns(2);
        bones.set_hide_root(true);
        bones.set_column_titles_visible(true);
        bones.set_column_title(0, "Bone");
        bones.set_column_title(1, "Lock");
        bones.set_column_expand(1, false);
        bones.set_v_size_flags(SizeFlags::EXPAND_FILL);
        bones
            .set_tooltip_text("The brush paints the chosen bone. Locked bones keep their weights.");
        bones.connect("item_selected", &chosen);
        root.add_child(&bones);
        // Above the buttons: they stay where they are when it comes and goes.
        let mut told = new_text(0.0);
        told.set_name("Told");
        told.hide();
        root.add_child(&told);
        let mut buttons = GridContainer::new_alloc();
        buttons.set_columns(2);
        root.add_child(&buttons);
        for (text, method, help) in [
            (
                "Smooth",
                "on_smooth",
                "Brings weights nearer to those beside.",
            ),
            ("Mirror", "on_mirror", MIRROR_HELP),
            ("Weigh Again", "on_weigh_again", WEIGH_HELP),
            (
                "Unmark All",
                "on_unmark",
                "No vertex is marked: the brush and the buttons change all.",
            ),
        ] {
            let mut button = new_button(text, help, &calls(method));
            button.set_h_size_flags(SizeFlags::EXPAND_FILL);
            buttons.add_child(&button);
        }
        Self {
            root,
            subject,
            tool,
            weight,
            radius,
            strength,
            shown,
            hint,
            bones,
            told,
        }
    }

    /// Says what a stroke or a command did, or why it did not: here, where the user looks. A message over the window would
    /// lie on the buttons.
    pub(super) fn tell(&self, text: &str) {
        let mut told = self.told.clone();
        told.set_text(text);
        told.show();
    }

    /// Hides the message that was shown.
    pub(super) fn hush(&self) {
        self.told.clone().hide();
    }

    /// Lists the bones of a polygon, or says why there are none. Those of the last one stay: while a bone is selected to try
    /// how the skin bends, it is still known which are locked. It is one of `count` that are selected.
    pub(super) fn show(&self, weighed: Result<&WeighedPolygon, &Refusal>, count: usize) {
        let (mut subject, mut bones) = (self.subject.clone(), self.bones.clone());
        let alpha = if weighed.is_ok() { 1.0 } else { 0.4 };
        bones.set_modulate(Color::WHITE.with_alpha(alpha));
        match weighed {
            Ok(weighed) => {
                let mut told = weighed.told();
                if count > 1 {
                    told += &format!(
                        "\nOne of {count} that are selected. Paint on another to change over."
                    );
                }
                subject.set_text(&told);
                self.list(weighed);
            }
            Err(reason) => subject.set_text(&**reason),
        }
        self.show_what_fits();
    }

    /// Lists the bones, unless these are listed. Those that move the polygon come with their colour.
    fn list(&self, weighed: &WeighedPolygon) {
        let ids: Vec<i64> = weighed
            .bones
            .iter()
            .map(|bone| bone.instance_id().to_i64())
            .collect();
        let listed: Vec<i64> = self.items().iter().map(id_of).collect();
        let names = weighed.bones.iter().map(|bone| bone.get_name().to_string());
        let are_named = self
            .items()
            .iter()
            .map(|item| item.get_text(0).to_string())
            .eq(names);
        if listed == ids && are_named {
            return;
        }
        let locked: Vec<i64> = self.locked_items().map(|item| id_of(&item)).collect();
        let chosen = self.chosen_item().map(|item| id_of(&item));
        let mut tree = self.bones.clone();
        tree.clear();
        let Some(root) = tree.create_item() else {
            return;
        };
        let palette = BoneColours::of(&weighed.bones);
        for (index, bone) in weighed.bones.iter().enumerate() {
            let Some(mut item) = tree.create_item_ex().parent(&root).done() else {
                continue;
            };
            let id = ids[index];
            item.set_text(0, &bone.get_name().to_string());
            item.set_custom_color(0, palette.bright(index));
            item.set_metadata(0, &id.to_variant());
            item.set_cell_mode(1, TreeCellMode::CHECK);
            item.set_editable(1, true);
            item.set_selectable(1, false);
            item.set_checked(1, locked.contains(&id));
            let moves = weighed.weights.of_bone(index).any(|weight| weight > 0.0);
            let is_first = chosen.is_none() && moves && self.chosen_item().is_none();
            if chosen == Some(id) || is_first {
                item.select(0);
            }
        }
    }

    /// Shows the hint of the tool. The weight can be edited for two of the brushes only.
    pub(super) fn show_what_fits(&self) {
        self.hint.clone().set_text(self.tool().hint());
        let paints = matches!(self.tool(), Tool::Set | Tool::Add);
        self.weight.clone().set_editable(paints);
    }

    pub(super) fn tool(&self) -> Tool {
        let index = usize::try_from(self.tool.get_selected()).unwrap_or_default();
        Tool::ALL[index]
    }

    /// In pixels of the screen.
    pub(super) fn radius(&self) -> f32 {
        self.radius.get_value() as f32 * EditorInterface::singleton().get_editor_scale()
    }

    /// Marks are whole.
    pub(super) fn strength(&self) -> f64 {
        self.strength.get_value()
    }

    /// Returns the change that a brush makes to the chosen bone, or the opposite of it.
    ///
    /// # Errors
    /// That no bone is chosen, or that it is locked.
    pub(super) fn brush(&self, tool: Tool, inverts: bool) -> Result<Brush, Refusal> {
        let bone = self.chosen()?;
        if let Some(item) = self.items().get(bone).filter(|item| item.is_checked(1)) {
            let name = item.get_text(0);
            return Err(format!("\"{name}\" is locked. Unlock it, or choose another bone.").into());
        }
        let weight = self.weight.get_value();
        Ok(match tool {
            Tool::Add => Brush::Add {
                bone,
                weight: if inverts { -weight } else { weight },
            },
            _ => Brush::Set {
                bone,
                weight: if inverts { 0.0 } else { weight },
            },
        })
    }

    /// The chosen bone, by its index.
    ///
    /// # Errors
    /// That none is chosen.
    pub(super) fn chosen(&self) -> Result<usize, Refusal> {
        let chosen = self.chosen_item();
        let index = chosen.and_then(|chosen| self.items().iter().position(|it| *it == chosen));
        index.ok_or_else(|| "Choose a bone in the list first.".into())
    }

    /// The chosen bone, if it alone is shown.
    pub(super) fn chosen_alone(&self) -> Option<usize> {
        self.chosen()
            .ok()
            .filter(|_| self.shown.get_selected() == 1)
    }

    pub(super) fn choose(&self, bone: usize) {
        if let Some(item) = self.items().get_mut(bone) {
            item.select(0);
            self.bones.clone().scroll_to_item(&*item);
        }
    }

    /// Returns `true` for each bone that keeps its weights.
    pub(super) fn locked(&self) -> Vec<bool> {
        self.items().iter().map(|item| item.is_checked(1)).collect()
    }

    /// The names of the bones that keep their weights.
    pub(super) fn locked_names(&self) -> Vec<String> {
        let locked = self.locked_items();
        locked.map(|item| item.get_text(0).to_string()).collect()
    }

    fn locked_items(&self) -> impl Iterator<Item = Gd<TreeItem>> {
        self.items().into_iter().filter(|item| item.is_checked(1))
    }

    fn chosen_item(&self) -> Option<Gd<TreeItem>> {
        self.bones.clone().get_selected()
    }

    fn items(&self) -> Vec<Gd<TreeItem>> {
        let root = self.bones.clone().get_root();
        let items = root.map(|root| root.get_children());
        items.map_or(Vec::new(), |items| items.iter_shared().collect())
    }
}

fn id_of(item: &Gd<TreeItem>) -> i64 {
    item.get_metadata(0).try_to().unwrap_or_default()
}

const TOOL_HELP: &str = "Set: brings the chosen bone nearer to the weight.\n\
    Add: adds the weight to it, or takes it away with Ctrl.\n\
    Smooth: brings weights nearer to those beside; also with Shift.\n\
    Mark Vertices: what is marked is all that brushes and buttons change. Ctrl unmarks.\n\
    Cut: the polygon is cut along the line that is drawn, so that a hand comes off the hip that it lies on.";
const WEIGHT_HELP: &str = "What the brush sets or adds.";
const RADIUS_HELP: &str = "In pixels of the screen. The brush is soft: it ends there.";
const STRENGTH_HELP: &str = "How much of it one stroke does in the middle of the brush.";
const SHOWN_HELP: &str = "All Bones: each bone has its color, and they are mixed by weight.\n\
    Chosen Bone: from blue, nothing, to red, all. Places that no bone moves are magenta in both.";
const MIRROR_HELP: &str = "Copies the weights from the side of the chosen bone to the other one.";
const WEIGH_HELP: &str = "Computes the weights anew, of the bones that move this polygon.";

/// Closes the engine's panel for polygons if it is open: it opens at the bottom whenever a polygon is selected, and takes
/// the room in which weights are seen. Whoever wants it opens it again. Returns whether it was open.
pub(super) fn close_polygon_panel(plugin: &Gd<EditorPlugin>) -> bool {
    let base = EditorInterface::singleton().get_base_control();
    let bottom = base.map_or(Vec::new(), |base| {
        find_all::<Node>(&base.upcast(), "EditorBottomPanel")
    });
    let is_open = bottom.iter().any(shows_polygon);
    if is_open {
        plugin.clone().hide_bottom_panel();
    }
    is_open
}

/// Returns `true` if a button of the editor of polygons is seen there.
fn shows_polygon(bottom: &Gd<Node>) -> bool {
    let buttons = find_all::<BaseButton>(bottom, "BaseButton").into_iter();
    let mut seen = buttons.filter(|button| button.is_visible_in_tree());
    seen.any(|button| calls(&button.upcast(), "pressed", "Polygon2DEditor", ""))
}

/// The distance in pixels at which the editor takes hold of points and edges, where its setting is not to be found.
const GRAB: f32 = 8.0;

/// A control over all of `viewport`, which takes the mouse before the editor's own tools do. It calls `on_area_input` and `on_mouse_exited` of `plugin`.
///
/// The editor gives an event of the viewport to all plugins, also when one of them has taken it: its editor of
/// polygons would move the point at which a stroke begins. A control on top of the viewport comes before all of them. What
/// it does not take goes on to the viewport.
pub(super) fn new_area(viewport: &Gd<Control>, plugin: &Gd<Object>) -> Gd<Control> {
    let mut area = Control::new_alloc();
    area.set_mouse_filter(MouseFilter::PASS);
    area.set_anchors_and_offsets_preset(LayoutPreset::FULL_RECT);
    area.connect("gui_input", &plugin.callable("on_area_input"));
    area.connect("mouse_exited", &plugin.callable("on_mouse_exited"));
    let mut viewport = viewport.clone();
    viewport.add_child(&area);
    // Under the zoom buttons, which are its children, too.
    viewport.move_child(&area, 0);
    area
}

/// Returns the distance from points and edges of a polygon at which the editor takes hold of them, in pixels.
pub(super) fn grab_radius() -> f32 {
    let settings = EditorInterface::singleton().get_editor_settings();
    let radius = settings.map(|it| it.get_setting("editors/polygon_editor/point_grab_radius"));
    radius
        .and_then(|radius| radius.try_to::<i32>().ok())
        .map_or(GRAB, |radius| radius as f32)
}
