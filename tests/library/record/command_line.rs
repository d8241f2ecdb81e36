//! `cicerone replay` as users type it: its words, its exit codes, its picture.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

struct Said {
    code: i32,
    out: String,
    err: String,
}

fn cicerone(args: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Said { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// Ten seconds of the tavern, and the same with a table moved that somebody sits at.
fn recordings(folder: &Path) -> [String; 2] {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [as_is, moved] = [path("as_is.rec"), path("moved.rec")];
    let run =
        ["run", "rooms/tavern.json", "--headless", "--seconds", "10", "--seed", "3", "--click", "2:3,3"];
    assert_eq!(cicerone(&[&run[..], &["--record", &as_is]].concat()).code, 0);
    let mut bytes = std::fs::read(&as_is).unwrap();
    let at = |bytes: &[u8], text: &str| {
        bytes.windows(text.len()).position(|part| part == text.as_bytes()).unwrap()
    };
    let (begin, end) = (at(&bytes, "\"hearth_table\""), at(&bytes, "\"empty_table\""));
    for (from, to) in [("[2.25,", "[2.95,"), ("[2.75,", "[3.45,"), ("[3.1,", "[3.8,"), ("[1.9,", "[2.6,")] {
        for _ in 0..2 {
            let place = begin + at(&bytes[begin..end], from);
            bytes[place..place + from.len()].copy_from_slice(to.as_bytes());
        }
    }
    std::fs::write(&moved, crate::record::sealed(bytes)).unwrap();
    [as_is, moved]
}

/// Text with every hash and number of bytes, which any change of the tavern changes, replaced by a dash.
fn without_hashes(text: &str) -> String {
    let words = text.split_inclusive([' ', '\n', ',']).map(|word| {
        let bare = word.trim_end_matches([' ', '\n', ',']);
        let is_hash = bare.len() == 16 && bare.chars().all(|c| c.is_ascii_hexdigit());
        if is_hash { word.replace(bare, "-") } else { word.to_owned() }
    });
    words.collect()
}

#[test]
fn the_same_and_another_in_words_in_data_and_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let [as_is, moved] = recordings(folder.path());
    let size = std::fs::metadata(&as_is).unwrap().len();
    let head = format!(
        "rooms/tavern.json, seed 3, recorded by cicerone {}\n\
         600 ticks (10.00 s), 7 characters, ",
        env!("CARGO_PKG_VERSION")
    );
    let said = cicerone(&["replay", &as_is]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(said.out.starts_with(&head), "{}", said.out);
    let rate = size as f64 / (7.0 / 6.0);
    assert!(
        said.out.contains(&format!(" commands, {size} bytes ({rate:.0} for a character and minute)\n")),
        "{}",
        said.out
    );
    assert!(without_hashes(&said.out).ends_with("\nthe same to the last tick: hash -\n"), "{}", said.out);
    let through = cicerone(&["replay", "--through-saves", &as_is]);
    assert_eq!((through.code, through.out), (0, said.out));

    let svg = folder.path().join("ways.svg");
    let said = cicerone(&["replay", &moved, "--svg", svg.to_str().unwrap()]);
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    let lines = without_hashes(&said.out);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[2], "differs from tick 1 on (0.02 s): hash -, recorded -");
    let (stray, farthest) = lines[3].split_once(", up to ").unwrap();
    assert_eq!(
        stray,
        "  bruno leaves the recorded way first, at 0.02 s (tick 1): at (4.250, 5.000), recorded at (3.500, 5.000), 0.750 m apart"
    );
    let farthest = farthest.strip_suffix(" m later on; one more does later").unwrap();
    assert!(farthest >= "0.750", "{farthest}");
    assert_eq!(lines.len(), 4);
    let picture = std::fs::read_to_string(&svg).unwrap();
    for sign in ["as recorded", "way behind", "bruno: other ways from 0.02 s on"] {
        assert!(picture.contains(sign), "{sign}");
    }

    let said = cicerone(&["replay", &moved, "--format", "json", "--reloads"]);
    assert_eq!(said.code, 1);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(
        (&report["ticks"], &report["cut"], &report["characters"]),
        (&600.into(), &false.into(), &7.into())
    );
    assert_eq!(report["reloads"], Value::Array(Vec::new()));
    let stray = &report["difference"]["stray"];
    assert_eq!(
        (&report["difference"]["tick"], &stray["name"], &stray["others"]),
        (&1.into(), &"bruno".into(), &1.into())
    );
    assert_eq!(stray["now"], serde_json::json!([4.25, 5.0]));
    let same: Value = serde_json::from_str(&cicerone(&["replay", &as_is, "--format", "json"]).out).unwrap();
    assert_eq!(same["difference"], Value::Null);
}

#[test]
fn only_those_who_are_asked_for_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let [as_is, _] = recordings(folder.path());
    let svg = folder.path().join("ways.svg");
    let draw = |who: &[&str]| cicerone(&[&["replay", &as_is, "--svg", svg.to_str().unwrap()], who].concat());
    assert_eq!(draw(&["--who", "player"]).code, 0);
    let one = std::fs::read_to_string(&svg).unwrap();
    assert_eq!(draw(&[]).code, 0);
    let all = std::fs::read_to_string(&svg).unwrap();
    let other =
        |picture: &str| ["bruno", "ada"].iter().filter(|name| picture.contains(&format!(">{name}<"))).count();
    assert_eq!((other(&one), other(&all)), (0, 2), "others and their ways are left out");
    assert!(one.len() < all.len() && !all.contains("as recorded"), "nobody went another way");
    let said = draw(&["--who", "brono"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "error: no character in the recording is called 'brono'; did you mean 'bruno'?\n")
    );
}

#[test]
fn what_cannot_be_replayed_ends_with_two() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.rec");
    let path = file.to_str().unwrap();
    for (bytes, words) in [
        (&b""[..], "not a recording; `cicerone run ROOM --record FILE` makes one"),
        (
            b"cicerone recording 7\n",
            "a recording of version 7; this cicerone reads version 6: record it again",
        ),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let said = cicerone(&["replay", path]);
        assert_eq!((said.code, said.out.as_str()), (2, ""));
        assert_eq!(said.err, format!("error: {path}: {words}\n"));
    }
    let directory = cicerone(&["replay", folder.path().to_str().unwrap()]);
    assert_eq!(
        (directory.code, directory.err.contains("not a regular file")),
        (2, true),
        "{}",
        directory.err
    );
    let missing = cicerone(&["replay", "no/such.rec"]);
    assert_eq!((missing.code, missing.err.contains("no/such.rec")), (2, true), "{}", missing.err);
    let [as_is, _] = recordings(folder.path());
    let whole = std::fs::read(&as_is).unwrap();
    assert!(!cicerone(&["replay", &as_is]).out.contains("cut off"));
    for (less, ticks) in [(9, "599 ticks"), (5, "600 ticks"), (1, "600 ticks")] {
        std::fs::write(&file, &whole[..whole.len() - less]).unwrap();
        let cut = cicerone(&["replay", path]);
        assert_eq!(cut.code, 0);
        assert!(
            cut.out.contains(ticks) && cut.out.contains("\nthe file is cut off there\n"),
            "{less}: {}",
            cut.out
        );
    }
}

#[test]
fn a_folder_that_is_not_there_cannot_be_recorded_to() {
    let said = cicerone(&["run", "--headless", "--seconds", "1", "--record", "/no/such/folder/x.rec"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("cannot record to /no/such/folder/x.rec: "), "{}", said.err);
}
