//! The C interface as C, C++ and Python see it. Compiled with the system's compilers, warnings as errors.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Where cargo put the library.
fn library() -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    assert!(folder.join("libcicerone.a").is_file(), "no library in {}", folder.display());
    folder
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let words =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} ends with {}\n{words}", output.status);
    words
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Compiles a program and links it with the library.
fn compiled(source: &str, into: &Path) -> PathBuf {
    let program = into.join(Path::new(source).file_stem().unwrap());
    let warnings = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wstrict-prototypes", "-Werror", "-g"];
    let system = ["-lpthread", "-ldl", "-lm"];
    let mut cc = Command::new("cc");
    cc.args(warnings).arg(Path::new(ROOT).join(source)).arg(library().join("libcicerone.a")).args(system);
    run(cc.arg("-o").arg(&program));
    program
}

/// A project on the disk.
fn project(into: &Path) {
    let write = |name: &str, text: &str| {
        let file = into.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    let room = r#"{ "areas": [{ "name": "hall", "polygon": [[0, 0], [8, 0], [8, 6], [0, 6]] }],
        "characters": [{ "name": "bob", "at": [1, 5], "script": "scripts/bob.lua" }] }"#;
    write("rooms/hall.json", room);
    write("scripts/bob.lua", "return { run = function(self, npc) npc:walk_to(6, 5) end }\n");
}

#[test]
fn the_header_is_that_of_the_source() {
    let config = cbindgen::Config::from_file(Path::new(ROOT).join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new().with_crate(ROOT).with_config(config).generate().unwrap();
    let mut header = Vec::new();
    bindings.write(&mut header);
    let file = Path::new(ROOT).join("include/cicerone.h");
    if std::env::var_os("CICERONE_RENEW").is_some() {
        std::fs::write(&file, &header).unwrap();
    }
    let written = std::fs::read(&file).unwrap_or_default();
    assert!(
        written == header,
        "include/cicerone.h is stale; CICERONE_RENEW=1 cargo test header, and commit it"
    );
}

#[test]
fn a_game_in_c_uses_everything() {
    let folder = tempfile::tempdir().unwrap();
    project(folder.path());
    let said = run(Command::new(compiled("tests/game.c", folder.path())).arg(folder.path()));
    assert!(said.contains("all as it should be"), "{said}");
    assert!(std::fs::metadata(folder.path().join("run.rec")).unwrap().len() > 100);
}

/// Lost memory, and reads of freed or unset memory, are errors.
#[test]
fn valgrind_finds_nothing() {
    if !has("valgrind") {
        eprintln!("not run: valgrind is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = compiled("tests/game.c", folder.path());
    let options = ["--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"];
    run(Command::new("valgrind").args(options).arg(program));
}

#[test]
fn the_header_is_good_cpp_too() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("all.cpp");
    std::fs::write(
        &source,
        "#include \"cicerone.h\"\nint main() { return cicerone_at(1, 2).z == 2 ? 0 : 1; }\n",
    )
    .unwrap();
    if !has("c++") {
        eprintln!("not run: there is no C++ compiler");
        return;
    }
    let include = Path::new(ROOT).join("include");
    let mut compiler = Command::new("c++");
    run(compiler
        .args(["-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"])
        .arg(include)
        .arg(source));
}

#[test]
fn the_examples_run() {
    let folder = tempfile::tempdir().unwrap();
    let said = run(Command::new(compiled("examples/hall.c", folder.path())).current_dir(ROOT));
    assert!(said.contains("ann arrives at the well"), "{said}");
    let said = run(&mut Command::new(compiled("examples/tasks.c", folder.path())));
    assert!(said.contains("all ten tasks are done"), "{said}");
    let mut python = Command::new("python3");
    let said = run(python.arg("examples/hall.py").arg(library().join("libcicerone.so")).current_dir(ROOT));
    assert!(said.contains("ann arrives at the well"), "{said}");
}
