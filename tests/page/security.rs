//! Nobody gets in who has not the link, and nothing that is sent does harm.

use crate::client::Served;
use std::io::{Read, Write};

fn served() -> Served {
    Served::room("doorway.json")
}

fn status(answer: &str) -> &str {
    answer.strip_prefix("HTTP/1.1 ").map_or("none", |rest| &rest[..3])
}

#[test]
fn the_page_of_the_link_gets_in() {
    let served = served();
    let answer = served.ask_head(&served.upgrade());
    assert_eq!(status(&answer), "101", "{answer}");
    // The example of RFC 6455, section 1.3.
    assert!(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), "{answer}");
}

#[test]
fn it_listens_on_this_machine_only() {
    assert!(served().host().starts_with("127.0.0.1:"));
}

/// Every other request for the socket is refused before the upgrade.
#[test]
fn others_are_refused_before_the_upgrade() {
    let served = served();
    let (host, token) = (served.host(), served.token());
    let port = host.split(':').next_back().unwrap().to_owned();
    let with = |line: usize, text: &str| {
        let mut lines = served.upgrade();
        lines[line] = text.to_owned();
        lines
    };
    let without = |line: usize| {
        let mut lines = served.upgrade();
        lines.remove(line);
        lines
    };
    let and = |text: &str| {
        let mut lines = served.upgrade();
        lines.push(text.to_owned());
        lines
    };
    let other = "0".repeat(token.len());
    let cases: Vec<(&str, Vec<String>, &str)> = vec![
        ("no token", with(0, "GET /live HTTP/1.1"), "403"),
        ("an empty token", with(0, "GET /live?token= HTTP/1.1"), "403"),
        ("another token", with(0, &format!("GET /live?token={other} HTTP/1.1")), "403"),
        ("the beginning of the token", with(0, &format!("GET /live?token={} HTTP/1.1", &token[..31])), "403"),
        ("the token and more", with(0, &format!("GET /live?token={token}0 HTTP/1.1")), "403"),
        ("the token elsewhere", with(0, &format!("GET /live?a=1&token={token} HTTP/1.1")), "403"),
        ("no host", without(1), "421"),
        ("a site that was bound to this address", with(1, &format!("Host: evil.example:{port}")), "421"),
        ("the host's other name", with(1, &format!("Host: localhost:{port}")), "421"),
        ("the host without its port", with(1, "Host: 127.0.0.1"), "421"),
        ("another port", with(1, "Host: 127.0.0.1:1"), "421"),
        ("two hosts", and(&format!("Host: {host}")), "400"),
        ("no origin", without(2), "403"),
        ("another site", with(2, "Origin: https://evil.example"), "403"),
        ("no site", with(2, "Origin: null"), "403"),
        ("another port's page", with(2, "Origin: http://127.0.0.1:1"), "403"),
        ("the same under another scheme", with(2, &format!("Origin: https://{host}")), "403"),
        ("a site whose name begins so", with(2, &format!("Origin: http://{host}.evil.example")), "403"),
        ("two origins", and(&format!("Origin: http://{host}")), "400"),
        ("no upgrade", without(3), "426"),
        ("another upgrade", with(3, "Upgrade: h2c"), "426"),
        ("no connection", without(4), "426"),
        ("an old version", with(5, "Sec-WebSocket-Version: 8"), "426"),
        ("no key", without(6), "400"),
        ("a short key", with(6, "Sec-WebSocket-Key: abc"), "400"),
        ("a post", with(0, &format!("POST /live?token={token} HTTP/1.1")), "405"),
        ("an old protocol", with(0, &format!("GET /live?token={token} HTTP/1.0")), "400"),
        ("a body", and("Content-Length: 5"), "400"),
        ("a body in pieces", and("Transfer-Encoding: chunked"), "400"),
    ];
    let wrong = cases.into_iter().filter_map(|(what, lines, expected)| {
        let answer = served.ask_head(&lines);
        let is_refused = status(&answer) == expected && !answer.contains("Sec-WebSocket-Accept");
        (!is_refused).then(|| format!("{what}: {answer}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn files_pass_the_same_checks() {
    let served = served();
    let host = served.host();
    let get = |path: &str, more: &[&str]| {
        let mut lines = vec![format!("GET {path} HTTP/1.1")];
        lines.extend(more.iter().map(|line| (*line).to_owned()));
        served.ask_head(&lines)
    };
    let ours = format!("Host: {host}");
    let page = get("/", &[&ours]);
    assert_eq!(status(&page), "200", "{page}");
    assert_eq!(status(&get("/", &["Host: evil.example"])), "421");
    assert_eq!(status(&get("/", &[])), "421");
    assert_eq!(status(&get("/main.js", &[&ours, "Origin: https://evil.example"])), "403");
    assert_eq!(status(&get("/main.js", &[&ours, &format!("Origin: http://{host}")])), "200");
    // A fixed table: nothing is read from the disk.
    for path in
        ["/../Cargo.toml", "/Cargo.toml", "/%2e%2e/Cargo.toml", "//", "/main.js/", "/rooms/doorway.json"]
    {
        assert_eq!(status(&get(path, &[&ours])), "404", "{path}");
    }
}

#[test]
fn the_page_may_load_nothing_from_elsewhere() {
    let served = served();
    let page = served.ask_head(&["GET / HTTP/1.1".into(), format!("Host: {}", served.host())]);
    let (head, _) = page.split_once("\r\n\r\n").unwrap();
    let policy = head.lines().find_map(|line| line.strip_prefix("Content-Security-Policy: ")).unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
    assert!(
        !policy.contains("unsafe") && !policy.contains('*') && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    assert!(
        head.contains("X-Content-Type-Options: nosniff") && head.contains("Referrer-Policy: no-referrer"),
        "{head}"
    );
    assert!(!head.to_lowercase().contains("access-control"), "no other site may read it: {head}");
}

/// Whatever is sent, the answer is a refusal or the end of the connection; the server lives on.
#[test]
fn malformed_heads_do_no_harm() {
    let served = served();
    let long = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", served.host(), "x".repeat(9000));
    let many: String = (0..100).map(|i| format!("X{i}: 1\r\n")).collect();
    let many = format!("GET / HTTP/1.1\r\nHost: {}\r\n{many}\r\n", served.host());
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("nothing but ends of lines", b"\r\n\r\n".to_vec(), "400"),
        ("no request", b"hello\r\n\r\n".to_vec(), "400"),
        ("no version", b"GET /\r\n\r\n".to_vec(), "400"),
        ("zero bytes", b"GET / HTTP/1.1\r\nHost: \0\r\n\r\n".to_vec(), "400"),
        ("no text", b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n".to_vec(), "400"),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec(), "400"),
        ("a header without a colon", b"GET / HTTP/1.1\r\nHost\r\n\r\n".to_vec(), "400"),
        ("a folded header", b"GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n".to_vec(), "400"),
        (
            "more than a head",
            format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\nmore", served.host()).into_bytes(),
            "400",
        ),
        ("a head of 9,000 bytes", long.into_bytes(), "431"),
        ("a hundred headers", many.into_bytes(), "431"),
        ("a head without an end", vec![b'a'; 20_000], "431"),
    ];
    for (what, request, expected) in cases {
        let answer = served.ask(&request);
        // A server that refuses early may reset the connection before its answer is read.
        let got = status(&answer);
        assert!(got == expected || got == "none" && expected == "431", "{what}: {answer}");
    }
    let answer = served.ask_head(&served.upgrade());
    assert_eq!(status(&answer), "101");
}

/// A head has five seconds; the connection ends then, however steadily bytes arrive.
#[test]
fn a_head_that_takes_its_time_is_given_up() {
    let served = served();
    let began = std::time::Instant::now();
    let mut slow = served.connect();
    slow.set_read_timeout(Some(std::time::Duration::from_millis(50))).unwrap();
    let mut ended = false;
    while !ended {
        assert!(began.elapsed().as_secs() < 60, "the server goes on waiting");
        let _ = slow.write_all(b"X");
        ended = match slow.read(&mut [0; 100]) {
            Ok(0) => true,
            Ok(_) => panic!("an answer to nothing"),
            Err(error) => {
                !matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
            }
        };
    }
    assert!(began.elapsed().as_secs_f64() > 4.0, "it had no time to speak");
}

#[test]
fn there_are_sixteen_connections_at_most() {
    let served = served();
    let waiting: Vec<_> = (0..16).map(|_| served.connect()).collect();
    let answer = served.ask_head(&served.upgrade());
    assert_eq!(status(&answer), "503", "{answer}");
    drop(waiting);
    // They are noticed to be gone sooner or later.
    let began = std::time::Instant::now();
    while status(&served.ask_head(&served.upgrade())) != "101" {
        assert!(began.elapsed() < crate::client::PATIENCE, "the places are not given back");
    }
}

/// Frames of the WebSocket itself: too long, unmasked, no text, no such frame.
#[test]
fn bad_messages_end_the_connection() {
    let mut served = served();
    let long = {
        let mut frame = vec![0x81, 0xff];
        frame.extend(70_000_u64.to_be_bytes());
        frame.extend([0; 4]);
        frame.extend(vec![b'x'; 70_000]);
        frame
    };
    for (what, bytes) in [
        ("a message of 70,000 bytes", long),
        ("an unmasked message", b"\x81\x02{}".to_vec()),
        ("a text that is none", b"\x81\x82\x00\x00\x00\x00\xff\xfe".to_vec()),
        ("an unknown frame", b"\x83\x80\x00\x00\x00\x00".to_vec()),
        ("a length without end", b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00".to_vec()),
    ] {
        let mut page = served.page();
        page.told(&mut served, "hello");
        page.socket.get_mut().write_all(&bytes).unwrap();
        let began = std::time::Instant::now();
        while served.inspector.pages() > 0 {
            assert!(began.elapsed() < crate::client::PATIENCE, "{what}: the connection goes on");
            served.turn();
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }
    let mut page = served.page();
    page.told(&mut served, "hello");
}
