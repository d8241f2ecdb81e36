//! A browser that is driven over WebDriver (W3C), and a room that is run for it.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long something may take until a test fails. Only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// The size of the window.
const WINDOW: &str = "--window-size=1400,900";

/// A headless Chromium.
pub(super) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    pub(super) fn start() -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver runs: Debian's package is chromium-driver");
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                line.split("successfully on port ").nth(1)?.trim_end_matches('.').trim().parse().ok()
            })
            .expect("chromedriver says its port");
        std::thread::spawn(move || lines.for_each(drop)); // it must not be held up by a full pipe
        let mut browser = Self { driver, port, session: String::new() };
        let options =
            json!({ "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", WINDOW] });
        let wanted = json!({ "alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" },
        } });
        let session = browser.request("POST", "/session", &json!({ "capabilities": wanted }));
        browser.session = session["sessionId"].as_str().expect("a session").to_owned();
        browser
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let (port, length) = (self.port, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        // chromedriver leaves connections open.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let body = String::from_utf8_lossy(&body);
        let value: Value = serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"));
        let value = value["value"].clone();
        assert!(value.get("error").is_none(), "{path}: {} {}", value["error"], value["message"]);
        value
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.request("POST", &format!("/session/{}{path}", self.session), body)
    }

    pub(super) fn go(&self, link: &str) {
        self.post("/url", &json!({ "url": link }));
    }

    pub(super) fn resize(&self, (width, height): (u32, u32)) {
        self.post("/window/rect", &json!({ "width": width, "height": height }));
    }

    /// The value of an expression in the page.
    pub(super) fn value(&self, expression: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": format!("return ({expression})"), "args": [] }))
    }

    pub(super) fn text(&self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    pub(super) fn until(&self, expression: &str) {
        let began = Instant::now();
        while self.value(&format!("!!({expression})")) != true {
            if began.elapsed() > PATIENCE {
                self.screenshot("failed");
                panic!("never true: {expression}\n{}", self.text("document.body.innerText"));
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until an element holds a text.
    pub(super) fn until_text(&self, selector: &str, text: &str) {
        self.until(&format!(
            "[...document.querySelectorAll({})].some((element) => element.textContent.includes({}))",
            json!(selector),
            json!(text)
        ));
    }

    /// Clicks on an element, as a person does.
    pub(super) fn click(&self, selector: &str) {
        self.until(&format!("document.querySelector({})", json!(selector)));
        let element = self.post("/element", &json!({ "using": "css selector", "value": selector }));
        let id = element.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_owned();
        self.post(&format!("/element/{id}/click"), &json!({}));
    }

    /// The pixel of a place in the room.
    pub(super) fn pixel(&self, x: f64, z: f64) -> (i64, i64) {
        let at = self.value(&format!(
            "(() => {{ const p = cicerone.toScreen({x}, {z}, 0); return Array.isArray(p) ? p : [p.x, p.y]; }})()"
        ));
        (at[0].as_f64().unwrap().round() as i64, at[1].as_f64().unwrap().round() as i64)
    }

    /// Presses, moves and releases the pointer.
    pub(super) fn drag(&self, from: (i64, i64), to: (i64, i64)) {
        let moved = |(x, y): (i64, i64), ms: u32| json!({ "type": "pointerMove", "duration": ms, "x": x, "y": y, "origin": "viewport" });
        let mut actions = vec![moved(from, 0), json!({ "type": "pointerDown", "button": 0 })];
        if from != to {
            actions.push(moved(((from.0 + to.0) / 2, (from.1 + to.1) / 2), 60));
            actions.push(moved(to, 120));
        }
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        let pointer = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.post("/actions", &json!({ "actions": [pointer] }));
    }

    /// Clicks on a place of the room.
    pub(super) fn click_room(&self, x: f64, z: f64) {
        let at = self.pixel(x, z);
        self.drag(at, at);
    }

    /// Types into what has the focus; `\u{e007}` is Enter.
    pub(super) fn keys(&self, keys: &str) {
        let of = |kind: &str, key: char| json!({ "type": kind, "value": key.to_string() });
        let actions: Vec<Value> =
            keys.chars().flat_map(|key| [of("keyDown", key), of("keyUp", key)]).collect();
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Presses Ctrl and z.
    pub(super) fn undo(&self) {
        let of = |kind: &str, key: &str| json!({ "type": kind, "value": key });
        let actions =
            [of("keyDown", "\u{e009}"), of("keyDown", "z"), of("keyUp", "z"), of("keyUp", "\u{e009}")];
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Writes a picture of the page, if `CICERONE_SCREENSHOTS` names a folder.
    pub(super) fn screenshot(&self, name: &str) {
        let Ok(folder) = std::env::var("CICERONE_SCREENSHOTS") else { return };
        use base64::Engine;
        let picture = self.request("GET", &format!("/session/{}/screenshot", self.session), &Value::Null);
        let bytes = base64::engine::general_purpose::STANDARD.decode(picture.as_str().unwrap()).unwrap();
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), bytes).unwrap();
    }

    /// Fails if anything went wrong in the page: errors of its scripts, violations of its policy.
    pub(super) fn assert_clean(&self) {
        let log = self.post("/se/log", &json!({ "type": "browser" }));
        let bad: Vec<&Value> = log
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["level"] == "SEVERE" || entry["message"].to_string().contains("Policy"))
            .collect();
        assert!(bad.is_empty(), "{bad:#?}");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        // The driver ends its browser with the session; a failing test may have lost it.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.request("DELETE", &path, &Value::Null)
        }));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// `cicerone run --view page` in a copy of the example project.
pub(super) struct Room {
    program: Child,
    pub(super) link: String,
    folder: std::rc::Rc<tempfile::TempDir>,
}

impl Room {
    pub(super) fn run(room: &str, args: &[&str]) -> Self {
        Self::run_changed(room, args, |_| {})
    }

    /// The same, with files that were changed before.
    pub(super) fn run_changed(room: &str, args: &[&str], change: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for part in ["rooms", "scripts"] {
            copy(&root.join(part), &folder.path().join(part));
        }
        change(folder.path());
        Self::start(&[&["run", room, "--view", "page"], args].concat(), folder.into())
    }

    /// `cicerone replay --view page` with a recording in the same folder.
    pub(super) fn replay(&self, file: &str) -> Self {
        Self::start(&["replay", file, "--view", "page"], self.folder.clone())
    }

    fn start(args: &[&str], folder: std::rc::Rc<tempfile::TempDir>) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_cicerone"))
            .args(args)
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(program.stderr.take().unwrap()).lines();
        let link = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
            })
            .expect("it prints the link");
        std::thread::spawn(move || lines.for_each(drop));
        Self { program, link, folder }
    }

    /// Waits until the program has ended by itself.
    pub(super) fn wait_for_end(&self) {
        let began = Instant::now();
        let id = self.program.id();
        while Path::new(&format!("/proc/{id}/cmdline")).exists()
            && std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| !line.is_empty())
        {
            assert!(began.elapsed() < PATIENCE, "it goes on");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
