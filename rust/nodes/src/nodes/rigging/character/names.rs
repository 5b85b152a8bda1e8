//! What names of bones say: which part of a body they are, and on which side.

/// The role of some bones in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::nodes::rigging) enum Role {
    Arm,
    Leg,
    Head,
    /// Tails, hair, ears, capes.
    Hanging,
    /// Two or three bones that stand out, whatever they are.
    Limb,
}

/// Words for a part, with spaces between, each of which a bone of it may be called: in English, German, French, Spanish,
/// Italian and Portuguese.
const ARM: &str = "arm palm fist bicep upperarm forearm lowerarm elbow hand wrist flipper oberarm unterarm \
    ellbogen bras avantbras coude main brazo antebrazo codo mano braccio avambraccio braço braco \
    antebraço antebraco mão mao";
const LEG: &str = "leg upperleg lowerleg upleg thigh shin calf knee foot feet ankle toe toes paw hoof haunch \
    hock femur tibia bein oberschenkel unterschenkel schenkel knie fuss fuß jambe cuisse mollet \
    genou pied pierna muslo pantorrilla rodilla pie gamba coscia piede perna coxa pé";
const HEAD: &str =
    "head skull cranium kopf schädel tête tete crâne cabeza calavera testa teschio cabeça cabeca";
pub(super) const NECK: &str = "neck hals cou cuello collo pescoço pescoco";
const HANGING: &str = "tail tails beard mane tentacle ponytail pigtail hair braid bang bangs ear cape cloak scarf \
    skirt antenna whisker ribbon rope schwanz haar haare zopf ohr umhang schal rock fühler queue \
    cheveux tresse oreille écharpe jupe cola pelo trenza oreja capa bufanda falda coda capelli \
    orecchio mantello rabo cabelo orelha";

/// Words for the end of a leg, which lies on the ground.
pub(super) const FEET: &str = "foot feet ankle paw hoof fuss fuß pied pie piede pé";

/// Words for what is at the front of a head.
pub(super) const FACE: &str = "face nose jaw mouth eye eyes beak snout muzzle chin";

/// Words that may stand before or after another without anything between the two, as in *leftleg*, *lthigh* or *footr*.
const BEFORE: &str =
    "left right front fore back rear hind near far upper lower up low lo top bottom bot l r";
const AFTER: &str = "left right front back upper lower l r";

/// The words that these may stand at.
const JOINED: &str = "arm upperarm forearm lowerarm elbow hand wrist palm fist bicep leg upperleg lowerleg upleg \
    thigh shin calf knee foot feet ankle toe toes paw hoof haunch hock femur tibia ear hair";

/// Words of bones that move no part of a body: what they are for is to lead others.
const LEADING: &str = "ik fk pole target ctrl control controller";

/// The sides, each with the words for it. A limb has one of each list, if it has any: that of a dog seen from the side may
/// be the far one of its hind legs.
pub(super) const SIDES: [&[(&str, &str)]; 3] = [
    &[
        (
            "Left",
            "left l lf lt links gauche izquierda izquierdo sinistra esquerda",
        ),
        (
            "Right",
            "right r rt rechts droite droit derecha derecho destra direita",
        ),
    ],
    &[("Near", "near n"), ("Far", "far f")],
    &[
        ("Front", "front fore vorn vorne vorder avant"),
        ("Back", "back rear hind hinten hinter arrière"),
        ("Middle", "mid middle"),
    ],
];

/// Two sides in two letters, as in *leg_fl*.
const INITIALS: [(char, &str); 3] = [('f', "front"), ('b', "back"), ('h', "hind")];

/// The words of each of the limbs `names`, of which each has the names of its bones, for the sides. *F* is far, or front
/// where another limb has a *B* for back. *Fore* of a forearm is no side.
pub(super) fn side_words(names: &[Vec<&str>]) -> Vec<Vec<String>> {
    let limbs = names.iter();
    let limbs: Vec<Vec<_>> = limbs
        .map(|bones| bones.iter().map(|name| words(name)).collect())
        .collect();
    let any = |letter: &str| limbs.iter().flatten().flatten().any(|it| it == letter);
    let has_back = any("f") && any("b");
    let sides = limbs
        .into_iter()
        .map(|bones| bones.into_iter().flat_map(|it| spelt(it, has_back)));
    sides.map(Iterator::collect).collect()
}

/// The words of a bone, of which initials are spelt.
fn spelt(mut words: Vec<String>, has_back: bool) -> Vec<String> {
    let first = words.iter_mut().find(|it| matches!(it.as_str(), "f" | "b"));
    if let Some(first) = first.filter(|_| has_back) {
        *first = if first.as_str() == "f" {
            "front"
        } else {
            "back"
        }
        .into();
    }
    let is_forearm =
        |at: usize| words[at] == "fore" && words.get(at + 1).is_some_and(|it| it == "arm");
    let sides = (0..words.len()).filter(|&at| !is_forearm(at));
    sides.flat_map(|at| spelt_pair(&words[at])).collect()
}

fn spelt_pair(word: &str) -> Vec<String> {
    let letters: Vec<_> = word.chars().collect();
    let [first, side @ ('l' | 'r' | 'n' | 'f')] = letters[..] else {
        return vec![word.into()];
    };
    let first = INITIALS.iter().find(|(initial, _)| *initial == first);
    first.map_or_else(
        || vec![word.into()],
        |(_, spelt)| vec![spelt.to_string(), side.into()],
    )
}

pub(super) fn part_of(name: &str) -> Option<Role> {
    let words = words(name);
    if is_one_of(&words, LEADING) {
        return None;
    }
    let parts = [
        (HANGING, Role::Hanging),
        (HEAD, Role::Head),
        (ARM, Role::Arm),
        (LEG, Role::Leg),
    ];
    let mut parts = parts.into_iter();
    let found = parts.find(|(list, _)| is_one_of(&words, list));
    found.map(|(_, part)| part)
}

/// Returns `true` if one of `words`, or two in a row, is in `list`.
pub(super) fn is_one_of(words: &[String], list: &str) -> bool {
    let pairs = words.windows(2).map(|pair| pair.concat());
    let mut all = words.iter().cloned().chain(pairs);
    all.any(|word| lists(list, &word))
}

fn lists(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// The words of a name, in lower case: "LeftUpper_arm2" has four, "lthigh" two.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = ' ';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends_initials =
            last.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase());
        let begins = letter.is_uppercase() && (last.is_lowercase() || ends_initials);
        let differs = letter.is_numeric() != last.is_numeric();
        if begins || differs || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words
                .last_mut()
                .expect("has one")
                .extend(letter.to_lowercase());
        }
        last = letter;
    }
    words.retain(|word| !word.is_empty());
    words.iter().flat_map(|word| apart(word)).collect()
}

/// A word, or those that are joined in it.
fn apart(word: &str) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    if lists(JOINED, word) {
        return owned(&[word]);
    }
    let is_joined = |words: &Vec<String>| words.iter().any(|word| lists(JOINED, word));
    let before = BEFORE.split_whitespace().find_map(|first| {
        let rest = apart(word.strip_prefix(first)?);
        is_joined(&rest).then(|| [owned(&[first]), rest].concat())
    });
    let after = || {
        AFTER.split_whitespace().find_map(|last| {
            let rest = apart(word.strip_suffix(last)?);
            is_joined(&rest).then(|| [rest, owned(&[last])].concat())
        })
    };
    let mut sides = SIDES.iter().copied().flatten();
    let is_side = sides.any(|(_, words)| lists(words, word));
    match is_side {
        true => owned(&[word]),
        false => before.or_else(after).unwrap_or_else(|| owned(&[word])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        assert_eq!(words("LeftUpper_arm2"), ["left", "upper", "arm", "2"]);
        assert_eq!(words("arm.L.001"), ["arm", "l", "001"]);
        assert_eq!(words("Fuß"), ["fuß"]);
        assert_eq!(words("Armature"), ["armature"]);
        assert_eq!(words("LUpLeg"), ["l", "up", "leg"]);
        assert_eq!(words("lleg"), ["l", "leg"]);
        assert_eq!(words("rightupperarm"), ["right", "upperarm"]);
        assert_eq!(words("rear-footR"), ["rear", "foot", "r"]);
        assert_eq!(
            words("mixamorig:LeftForeArm"),
            ["mixamorig", "left", "fore", "arm"]
        );
        for word in ["rear", "pier", "armor", "legend", "chair", "charm", "cleft"] {
            assert_eq!(words(word), [word]);
        }
    }

    #[test]
    fn styles_of_names() {
        for leg in [
            "LThigh",
            "ThighL",
            "thigh.L",
            "thigh_l.001",
            "DEF-thigh.L",
            "Bip001 L Thigh",
            "mixamorig:LeftUpLeg",
            "J_Bip_L_UpperLeg",
            "lleg",
            "leftleg",
            "LEFTLEG",
            "legl",
            "leg_upper_l",
            "rear-thigh",
            "front_shin",
            "L_leg_JNT",
            "LLoLeg",
            "TopLegL",
            "upperleg1",
            "leg1_lower",
            "HindPaw",
            "footR",
        ] {
            assert_eq!(part_of(leg), Some(Role::Leg), "{leg}");
        }
        for arm in [
            "LArm",
            "larm",
            "rear-upper-arm",
            "upper_arm.R",
            "lowerarm_r",
            "RightForeArm",
            "handl",
            "FlipperUpper",
            "l_flipper",
        ] {
            assert_eq!(part_of(arm), Some(Role::Arm), "{arm}");
        }
        for other in [
            "Hips",
            "Spine",
            "Chest",
            "Pelvis",
            "LegIK",
            "FootTarget",
            "Armor",
            "Belt",
            "rear",
            "Bone2D3",
        ] {
            assert_eq!(part_of(other), None, "{other}");
        }
    }
}
