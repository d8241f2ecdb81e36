//! The parser against the stack: every production, nested and chained, in a thread with little of it.

use super::*;
use crate::script::source::prepared;

/// The stack of a thread that reads scripts: a small one, of a game's own thread.
const STACK_BYTES: usize = 256 << 10;

/// The longest script; a shorter one where only a part of the sweeps runs.
fn text_bytes() -> usize {
    if crate::sweeps::sweeps() { 1 << 20 } else { 1 << 17 }
}

/// Each production that holds another one: what comes before it and behind it.
const NESTED: &[(&str, &str)] = &[
    ("do ", " end"),
    ("while a do ", " end"),
    ("repeat ", " until a"),
    ("if a then ", " end"),
    ("if a then else ", " end"),
    ("if a then elseif b then ", " end"),
    ("for i = 1, 2 do ", " end"),
    ("for k in f do ", " end"),
    ("function f() ", " end"),
    ("function a.b:c() ", " end"),
    ("local function f() ", " end"),
    ("global function f() ", " end"),
    ("local f = function() ", " end"),
    ("a.b, c = 1, function() ", " end"),
    ("f(1, function() ", " end)"),
    ("a:b{ c = function() ", " end }"),
    ("return function() ", " end"),
];

/// The same for expressions.
const NESTED_EXPRESSIONS: &[(&str, &str)] = &[
    ("(", ")"),
    ("{", "}"),
    ("{ a = ", "}"),
    ("{ [", "] = 1 }"),
    ("{ [1] = ", "}"),
    ("f(", ")"),
    ("f{", "}"),
    ("f(1, ", ")"),
    ("a[", "]"),
    ("a:b(", ")"),
    ("(f)(", ").c"),
    ("- ", ""),
    ("not ", ""),
    ("#", ""),
    ("~", ""),
    ("a .. ", ""),
    ("2 ^ ", ""),
    ("-a ^ ", ""),
    ("a and (b or ", ")"),
    ("1 + 2 * (", ")"),
    ("function() return ", " end"),
    ("f(function() return ", " end)"),
];

/// What lengthens a chain: the text before it, the link, the text behind.
const CHAINS: &[(&str, &str, &str)] = &[
    ("function a", ".b", ":c() end"),
    ("function a", ".b", "() end"),
    ("x = a", ".b", ""),
    ("x = a", "[1]", ""),
    ("x = a", "()", ""),
    ("a", "()", ""),
    ("a", ":b()", ""),
    ("a", "''", ""),
    ("a", "{}", ""),
    ("a", ".b(1):c{}[2]''", ".d = 1"),
    ("room", ":npc('a')", ":walk()"),
    ("x = (a", ".b)", ""),
    ("x = 1", " + 1", ""),
    ("x = a", " - b * c", ""),
    ("x = a", " == b", ""),
    ("x = a", " < b", ""),
    ("x = a", " // b % c", ""),
    ("x = a", " & b | c ~ d", ""),
    ("x = a", " << 1 >> 2", ""),
    ("x = a", " and b", ""),
    ("x = a", " or b", ""),
    ("x = a", " and b or c", ""),
    ("if a", " or b", " then end"),
    ("if a then", " elseif b then", " end"),
    ("x = { 1", ", 1", " }"),
    ("x = { a = 1", "; a = 1", " }"),
    ("f(a", ", a", ")"),
    ("x = a", ", a", ""),
    ("a", ", a", " = 1"),
    ("local a", ", a", ""),
    ("local a", ", a <const>", " = 1"),
    ("global a", ", a", ""),
    ("for a", ", a", " in f do end"),
    ("function f(a", ", a", ") end"),
    ("", "x = 1 ", ""),
    ("", "f() ", ""),
    ("", "; ", ""),
    ("", "::a:: ", ""),
    ("", "goto a ", ""),
    ("while a do ", "break ", "end"),
    ("", "local a ", ""),
    ("", "global a ", ""),
    ("", "global * ", ""),
    ("", "global <const> a = 1 ", ""),
    ("", "global function f() end ", ""),
    ("", "local function f() end ", ""),
    ("", "function f() return end ", ""),
    ("", "do end ", ""),
    ("", "if a then end ", ""),
    ("", "while a do end ", ""),
    ("", "repeat until a ", ""),
    ("", "for i = 1, 2 do end ", ""),
    ("", "for k in f do end ", ""),
    ("", "--[[ ]]", ""),
    ("", "-- \n", ""),
    ("x = '", "\\n", "'"),
    ("x = [==[", "]", "]==]"),
    ("x = 0", "1", ""),
    ("x", "x", " = 1"),
];

fn nested((before, behind): (&str, &str), levels: usize) -> String {
    format!("{}a{}", before.repeat(levels), behind.repeat(levels))
}

/// Texts of every production, as deep and as long as a text can be.
pub(crate) fn texts() -> impl Iterator<Item = String> {
    let deep = |parts: (&str, &str)| {
        [30, 60, 90, 95, 99, 150, 190, 198, text_bytes() / (parts.0.len() + parts.1.len())]
            .map(move |levels| (parts.0.to_owned(), parts.1.to_owned(), levels))
    };
    let statements = NESTED.iter().flat_map(move |parts| deep(*parts)).map(|(before, behind, levels)| {
        nested((&before, &behind), levels).replace("a end", "x = 1 end").replacen(" a end", " x = a end", 1)
    });
    let expressions = NESTED_EXPRESSIONS.iter().flat_map(move |parts| deep(*parts));
    let expressions =
        expressions.map(|(before, behind, levels)| format!("return {}", nested((&before, &behind), levels)));
    let chains = CHAINS.iter().flat_map(|(before, link, behind)| {
        [1000, text_bytes() / link.len()].map(|links| format!("{before}{}{behind}", link.repeat(links)))
    });
    // A chain in the middle of everything that nests.
    let both = NESTED_EXPRESSIONS.iter().flat_map(|(before, behind)| {
        [45, 90, 190].map(|levels| {
            let chain = ".b".repeat(text_bytes() / 4 / levels);
            format!("return {}a{chain}{}", before.repeat(levels), format!("{chain}{behind}").repeat(levels))
        })
    });
    statements.chain(expressions).chain(chains).chain(both)
}

pub(crate) fn in_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn every_production_fits_a_small_stack() {
    in_a_small_stack(|| {
        let (mut valid, mut refused) = (0, 0);
        for text in texts() {
            match parse(&text) {
                Ok(chunk) => {
                    let mut parts = 0;
                    visit(&chunk.block, &mut |_| parts += 1);
                    assert!(parts > 0 || chunk.block.is_empty());
                    valid += 1;
                }
                Err(_) => refused += 1,
            }
        }
        assert!(valid > 200 && refused > 50, "{valid} {refused}");
    });
}

#[test]
fn what_nests_deeply_is_read_and_what_nests_too_deeply_is_named() {
    for parts in NESTED_EXPRESSIONS {
        assert!(parse(&format!("return {}", nested(*parts, 60))).is_ok(), "{}", parts.0);
        let flat = parts.0 == "a .. ";
        let deep = prepared("a.lua", &format!("return 2 ^ {}", nested(*parts, 220))).map(drop);
        assert_eq!(
            deep.map_err(|problem| problem.message.contains("inside of each other")).err(),
            (!flat).then_some(true),
            "{}",
            parts.0
        );
    }
    for text in ["return a".to_owned() + &".b".repeat(100_000), "x = 1".to_owned() + &" + 1".repeat(100_000)]
    {
        assert!(parse(&text).is_ok());
    }
}

/// Lua's compiler takes a time that grows with the length of a text, or the text is refused.
#[test]
fn what_takes_long_to_compile_is_refused() {
    let names: String = (0..30_000).map(|n| format!("global g{n}\n")).collect();
    let uses = "x = g0 + g1 + g2\n".repeat(30_000);
    let labels: String = (0..32_767).map(|n| format!("::l{n}::\n")).collect();
    let captured = |depth: usize| {
        let locals: String = (0..150).map(|n| format!("local v{n} = 1 ")).collect();
        let inner = "y = x\n".repeat(5000);
        format!("{}{inner}{}", format!("local function f() {locals}\n").repeat(depth), "end\n".repeat(depth))
    };
    for (what, source) in [
        ("names", names + &uses),
        ("labels", labels),
        ("branches", format!("if a then {} end", "elseif b then ".repeat(7_000))),
        ("captured", captured(60)),
        ("global functions", "global function f() end\n".repeat(10_000)),
        ("globals with values", "global a = 1\n".repeat(10_000)),
        ("globals in use", "global a; a = 1\n".repeat(10_000)),
        ("globals", "global a\n".repeat(30_000)),
        ("all globals", "global *\n".repeat(30_000)),
        ("or", format!("x = a{}", " or b".repeat(30_000))),
        ("and", format!("x = a{}", " and b".repeat(30_000))),
        ("both", format!("x = a{}", " and b or c".repeat(30_000))),
        ("in parentheses", format!("x = ({}a){}", "a or ".repeat(6000), " or b".repeat(1000))),
    ] {
        let problem = prepared("scripts/a.lua", &source).unwrap_err();
        assert!(problem.line > 0 && problem.message.contains("too long to compile"), "{what}");
    }
    let honest =
        "local function f(a, b) if a then return b elseif b then return a end return math.max(a, b) end\n";
    assert!(prepared("scripts/a.lua", &format!("do {} end", honest.repeat(150))).is_ok());
    assert!(prepared("scripts/a.lua", &"f(a, b, c)\n".repeat(50_000)).is_ok());
    assert!(prepared("scripts/a.lua", &"if a and b or c and d then f() end\n".repeat(25_000)).is_ok());
    let rows = "{ a = x and y or z, b = p or q },\n".repeat(20_000);
    assert!(prepared("scripts/a.lua", &format!("return {{ {rows} }}")).is_ok());
}

fn error_at(text: &str) -> Option<&str> {
    parse(text).err().and_then(|error| text.get(error.at))
}

#[test]
fn all_of_lua_is_read() {
    let text = r#"
        #!comment
        local a <const>, b <close> = 1, nil
        global c, d = 0x1p-4, 3e-2 .. [==[ long ]] ]==]
        global *
        goto done
        for i = 1, 10, 2 do if i // 2 ~= 0 then break elseif a then else end end
        for k, v in pairs{ [1] = 2; x = 3, 4 } do t[k].y:z"w" { 1 } (2)[3] = v end
        while not a do repeat local q = -#b ~ ~1 until q >> 2 << 3 & 4 | 5 end
        function m.n.o:p(x, ...) return ..., x end
        local function f() return end
        local goto_, global_ = 1, 2
        a.b.c, d["e"] = function(...) end, (f())
        ::done::
        ;
        return f, 2 ^ -3;
    "#;
    let text = text.trim_start().trim_start_matches("#!comment");
    assert_eq!(parse(text).map(|chunk| chunk.locals.len()), Ok(14), "{:?}", error_at(text));
}

#[test]
fn the_error_is_the_token_where_lua_stops() {
    for (text, at) in [
        ("local x = = 5", "= 5"),
        ("if x = 1 then end", "= 1"),
        ("function f() end end", "end"),
        ("local t = { a = 1 b = 2 }", "b = "),
        ("n += 1", "+= 1"),
        ("x != 1", "!= 1"),
        ("f('a", "'a"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(text[error.at.start..].starts_with(at), "{text}: {:?}", &text[error.at.start..]);
    }
    assert_eq!(error_at("f("), Some(""));
    assert!(parse(&"(".repeat(100_000)).is_err());
    assert!(parse(&"{".repeat(100_000)).is_err());
    assert!(parse(&"not ".repeat(100_000)).is_err());
    assert!(parse(&"a.".repeat(100_000)).is_err());
    // A long text is fine.
    assert!(parse(&"a.b.c.d(1)\n".repeat(5000)).is_ok());
    assert!(parse(&format!("return {{{}}}", "a.b.c + 1, ".repeat(5000))).is_ok());
}
