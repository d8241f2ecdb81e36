//! A room that is served, and clients of it.

use cicerone::inspector::Inspector;
use cicerone::runtime::{Options, Runtime};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

/// How long a test waits for what must come. Only a failing test waits so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A room with a page.
pub(crate) struct Served {
    pub(crate) runtime: Runtime,
    pub(crate) inspector: Inspector,
}

impl Served {
    /// Serves a room of the repository.
    pub(crate) fn room(name: &str) -> Self {
        let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms").join(name);
        Self::of(Runtime::open(&room, Options::default()).unwrap())
    }

    pub(crate) fn of(runtime: Runtime) -> Self {
        Self { runtime, inspector: Inspector::open(0).unwrap() }
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn host(&self) -> String {
        let link = self.inspector.link();
        link.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned()
    }

    pub(crate) fn token(&self) -> String {
        self.inspector.link().split_once('#').unwrap().1.to_owned()
    }

    /// The head of a request of the page for its socket.
    pub(crate) fn upgrade(&self) -> Vec<String> {
        let host = self.host();
        vec![
            format!("GET /live?token={} HTTP/1.1", self.token()),
            format!("Host: {host}"),
            format!("Origin: http://{host}"),
            "Upgrade: websocket".into(),
            "Connection: keep-alive, Upgrade".into(),
            "Sec-WebSocket-Version: 13".into(),
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==".into(),
        ]
    }

    /// Sends bytes, and reads all that is answered until the connection ends or an answer's head is complete.
    pub(crate) fn ask(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let mut part = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut part) {
            answer.extend_from_slice(&part[..count]);
            if answer.starts_with(b"HTTP/1.1 101") {
                break;
            }
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn ask_head(&self, lines: &[String]) -> String {
        self.ask(format!("{}\r\n\r\n", lines.join("\r\n")).as_bytes())
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A page that is connected.
    pub(crate) fn page(&self) -> Page {
        let mut stream = self.connect();
        stream.write_all(format!("{}\r\n\r\n", self.upgrade().join("\r\n")).as_bytes()).unwrap();
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        stream.set_read_timeout(Some(Duration::from_millis(5))).unwrap();
        Page {
            socket: WebSocket::from_raw_socket(stream, Role::Client, None),
            next_id: 1,
            waiting: Vec::new(),
        }
    }

    /// One round of the loop that serves a room: what a step tells is published.
    pub(crate) fn turn(&mut self) {
        self.inspector.receive(&mut self.runtime);
        self.inspector.clock().pass(0.01);
        let dt_s = self.runtime.world().dt_s();
        while self.inspector.clock().take_step(dt_s) {
            self.inspector.step(&mut self.runtime);
        }
        let events = self.runtime.take_events();
        self.inspector.tell(&self.runtime, &events);
        let answers = self.runtime.take_answers();
        self.inspector.tell_answers(&self.runtime, &answers);
        self.inspector.publish(&self.runtime);
    }
}

/// A connected page.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<TcpStream>,
    next_id: u64,
    waiting: Vec<Message>,
}

impl Page {
    pub(crate) fn send(&mut self, mut order: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        order["id"] = json!(id);
        self.socket.send(Message::from(order.to_string())).unwrap();
        id
    }

    /// Serves the room until a message passes, and returns it.
    pub(crate) fn wait_for<T>(
        &mut self,
        served: &mut Served,
        mut wanted: impl FnMut(&Message) -> Option<T>,
    ) -> T {
        let began = std::time::Instant::now();
        loop {
            let found = self.waiting.iter().position(|message| wanted(message).is_some());
            if let Some(index) = found {
                let message = self.waiting.remove(index);
                return wanted(&message).unwrap();
            }
            assert!(began.elapsed() < PATIENCE, "nothing came");
            served.turn();
            match self.socket.read() {
                Ok(message) => self.waiting.push(message),
                Err(tungstenite::Error::Io(error))
                    if matches!(
                        error.kind(),
                        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                    ) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The next message of a kind.
    pub(crate) fn told(&mut self, served: &mut Served, kind: &str) -> Value {
        self.wait_for(served, |message| {
            let value: Value = serde_json::from_str(message.to_text().ok()?).ok()?;
            (value["kind"] == kind).then_some(value)
        })
    }

    /// Gives an order, and returns the answer.
    pub(crate) fn order(&mut self, served: &mut Served, order: Value) -> Value {
        let id = self.send(order);
        self.wait_for(served, |message| {
            let value: Value = serde_json::from_str(message.to_text().ok()?).ok()?;
            (value["id"] == id).then_some(value)
        })
    }

    /// The next binary message that begins with this number, as words of four bytes.
    pub(crate) fn binary(&mut self, served: &mut Served, first: u32) -> Vec<u32> {
        self.waiting.retain(|message| !message.is_binary());
        self.wait_for(served, |message| {
            let Message::Binary(bytes) = message else { return None };
            let words: Vec<u32> =
                bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
            (words[0] == first).then_some(words)
        })
    }
}
