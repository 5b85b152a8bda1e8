// The colours of GDScript, which the site's highlighter does not know.
hljs.registerLanguage("gdscript", (tools) => ({
    keywords: {
        keyword:
            "and as await break breakpoint class class_name const continue elif else enum extends for func if in is " +
            "match not or pass return self signal static super var void when while",
        built_in: "Array Callable Color Dictionary NodePath Rect2 String StringName Transform2D Vector2 bool float int",
        literal: "INF NAN PI TAU false null true",
    },
    contains: [
        tools.HASH_COMMENT_MODE,
        tools.QUOTE_STRING_MODE,
        tools.APOS_STRING_MODE,
        tools.C_NUMBER_MODE,
        { className: "meta", begin: /@\w+/ },
        // Paths of nodes.
        { className: "string", begin: /[$%](?:[\w/]+|"[^"]*")/ },
        { className: "title", begin: /\b(?:Tendon|Node|Bone|Skeleton|Marker|Path|Timer|Animation)\w*/ },
        { className: "function", beginKeywords: "func", end: /(?=\()/, contains: [tools.UNDERSCORE_TITLE_MODE] },
    ],
}));
for (const block of document.querySelectorAll("code.language-gdscript")) {
    hljs.highlightBlock(block);
}
