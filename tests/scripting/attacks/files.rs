//! Files that are trouble before a line of them runs.

use crate::attacks::attack::file;

/// As large as a script may be, about.
const MIB: usize = (1 << 20) - 100;

fn around(open: &str, close: &str) -> String {
    let depth = MIB / (open.len() + close.len());
    format!("return {}1{}", open.repeat(depth), close.repeat(depth))
}

fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (1..=count).map(line).collect()
}

attacks! {
    many_globals => file({
        let names: String = (0..30_000).map(|n| format!("global g{n}\n")).collect();
        names + &"g0 = g1 + g2\n".repeat(30_000)
    }),
    many_labels => file((0..32_767).map(|n| format!("::l{n}::\n")).collect::<String>()),
    many_branches => file(format!("local a if a then {} end return {{}}", "elseif a then ".repeat(7_500))),
    many_nested_locals => file({
        let locals: String = (0..150).map(|n| format!("local v{n} = 1 ")).collect();
        let head = format!("local function f() {locals}\n").repeat(60);
        format!("{head}{}{}return {{}}", "y = x\n".repeat(5000), "end\n".repeat(60))
    }),
    parentheses => file(around("(", ")")),
    braces => file(around("{", "}")),
    brackets => file(around("t[", "]")),
    calls => file(around("f(", ")")),
    functions => file(around("function() return ", " end")),
    blocks => file(format!("{}{}", "do ".repeat(MIB / 8), "end ".repeat(MIB / 8))),
    ifs => file(format!("{}{}", "if x then ".repeat(MIB / 16), "end ".repeat(MIB / 16))),
    minuses => file(format!("return {}1", "- ".repeat(MIB / 2))),
    nots => file(format!("return {}1", "not ".repeat(MIB / 4))),
    sums => file(format!("return {{}}, 1{}", "+1".repeat(MIB / 2 - 10))).either(),
    concatenations => file(format!("local a = '' return a{}", "..a".repeat(MIB / 3 - 10))),
    powers => file(format!("return 1{}", "^1".repeat(MIB / 2 - 10))),
    fields => file(format!("local a = {{}} return a{}", ".a".repeat(MIB / 2 - 20))),
    else_ifs => file(format!("local x if x then {} end return {{}}", "elseif x then ".repeat(MIB / 14 - 10))).either(),
    gotos_and_labels => file(format!("{}return {{}}", numbered(30_000, |n| format!("goto l{n} ::l{n}::\n")))).either(),
    gotos_to_the_end => file(format!("do {} ::l:: end return {{}}", "goto l ".repeat(100_000))).either(),
    gotos_to_nowhere => file("local x = 1\ngoto nowhere -- HERE\n").told("nowhere"),
    locals => file(format!("{}return {{}}", numbered(300, |n| format!("local l{n} = {n}\n")))).told("too many local variables"),
    locals_in_blocks => file(format!("{}{}return {{}}", numbered(190, |n| format!("do local l{n} ")), "end ".repeat(190))).either(),
    upvalues => file(format!("{}return function() return {} end", numbered(199, |n| format!("local l{n} ")), numbered(199, |n| format!("l{n} .. ")) + "''")).either(),
    arguments => file(format!("print({}1) return {{}}", "1, ".repeat(300))),
    constants => file(format!("return {{ {} }}", numbered(60_000, |n| format!("'text{n}', ")))).either(),
    names => file(format!("local {} = 1 return {{}}", "x".repeat(1_000_000))).either(),
    one_long_text => file(format!("return {{ text = [[{}]] }}", "x".repeat(1_000_000))).told("256 KiB"),
    one_long_comment => file(format!("--[[{}]] return {{}}", "x".repeat(1_000_000))).quiet(),
    one_long_number => file(format!("return {{ {} }}", "1".repeat(1_000_000))).either(),
    many_lines => file(format!("{}\nwhile true do end -- HERE\n", "\n".repeat(1_000_000))),
    unfinished_text => file("local A = 'open\nreturn A").told("unfinished string"),
    unfinished_long_text => file(format!("return [[{}", "x".repeat(1_000_000))).told("unfinished long string"),
    unfinished_comment => file("return {} --[[ open").told("unfinished long comment"),
    unfinished_function => file("local A = {}\nfunction A.on_update(self, npc)\nif true then\nend\nreturn A").told("'end' expected"),
    bytecode => file(b"\x1bLua\x55\x00\x19\x93\r\n\x1a\n\x04\x08\x08xV\x00\x00".to_vec()),
    bytecode_that_is_text => file("\u{1b}Lua while true do end"),
    zero_bytes => file("local A = {}\n\0\0\0 -- HERE\nreturn A"),
    zero_bytes_only => file(vec![0; 100_000]),
    zero_bytes_in_a_comment => file("-- \0\nreturn {}").quiet(),
    broken_utf8 => file(b"local A = {}\nA.text = '\xff\xfe'\nreturn A".to_vec()),
    other_encoding => file("return {}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
    crlf => file("local A = {}\r\nfunction A.on_update(self, npc)\r\nerror('third') -- HERE\r\nend\r\nreturn A\r\n").told("third"),
    carriage_returns_only => file("local A = {}\rreturn A").quiet(),
    byte_order_mark => file("\u{feff}return { }").quiet(),
    first_line_for_a_shell => file("#!/usr/bin/lua\nreturn {}").either(),
    only_a_comment => file("-- nothing yet").told("must return its table"),
    empty => file(""),
    only_blanks => file(" ".repeat(1_000_000)),
    random_bytes => file((0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<u8>>()),
}
