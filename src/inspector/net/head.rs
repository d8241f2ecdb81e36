//! The head of a request, and whether it may be answered. Files and sockets pass the same checks.

use super::token::Token;
use super::{HEAD_TIME, MOST_HEAD_BYTES};
use std::io::Read;
use std::net::TcpStream;
use std::time::Instant;
use tungstenite::handshake::derive_accept_key;

/// The most header lines.
const MOST_HEADERS: usize = 64;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// A file of the page.
    File(String),
    /// The live socket; `accept` is the value of `Sec-WebSocket-Accept`.
    Socket { accept: String },
}

/// A request that is not answered: the status, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: &'static str,
    pub(super) why: &'static str,
}

const fn refused(status: &'static str, why: &'static str) -> Refusal {
    Refusal { status, why }
}

const MALFORMED: Refusal = refused("400 Bad Request", "this is no HTTP request");

/// Who may ask.
pub(super) struct Gate {
    /// `127.0.0.1:PORT`, the only name of this server.
    pub(super) host: String,
    pub(super) token: Token,
}

/// Reads a head, up to the empty line. `None` if the connection ended before, or was too slow.
#[allow(clippy::disallowed_methods)] // a deadline of a connection; the simulation never sees it
pub(super) fn read_head(stream: &mut TcpStream) -> Result<Option<Vec<u8>>, Refusal> {
    let until = Instant::now() + HEAD_TIME;
    let (mut head, mut part) = (Vec::new(), [0; 1024]);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return Ok(None);
        }
        let Ok(count @ 1..) = stream.read(&mut part) else { return Ok(None) };
        head.extend_from_slice(&part[..count]);
        if head.len() > MOST_HEAD_BYTES {
            return Err(refused("431 Request Header Fields Too Large", "the head is too long"));
        }
        if let Some(end) = head.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            // Nothing may follow: no request has a body, and a page waits for the answer before it sends a message.
            return if end + 4 == head.len() { Ok(Some(head)) } else { Err(MALFORMED) };
        }
    }
}

impl Gate {
    /// The origin of the page.
    pub(super) fn origin(&self) -> String {
        format!("http://{}", self.host)
    }

    /// What a head asks for, if it may.
    pub(super) fn admit(&self, head: &[u8]) -> Result<Request, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(head) {
            Ok(httparse::Status::Complete(_)) => {}
            Err(httparse::Error::TooManyHeaders) => {
                return Err(refused("431 Request Header Fields Too Large", "there are too many headers"));
            }
            _ => return Err(MALFORMED),
        }
        let (Some(method), Some(target), Some(1)) = (request.method, request.path, request.version) else {
            return Err(MALFORMED);
        };
        let headers = Headers(request.headers);
        // Another name that leads here is a site whose name was bound to this address.
        if headers.only("Host")? != Some(self.host.as_str()) {
            return Err(refused("421 Misdirected Request", "this server has another name"));
        }
        let origin = headers.only("Origin")?;
        if origin.is_some_and(|origin| origin != self.origin()) {
            return Err(refused("403 Forbidden", "pages of other sites may not ask"));
        }
        if method != "GET" {
            return Err(refused("405 Method Not Allowed", "there is only GET"));
        }
        let has_body = headers.only("Content-Length")?.is_some_and(|length| length != "0")
            || headers.only("Transfer-Encoding")?.is_some();
        if has_body {
            return Err(refused("400 Bad Request", "no request has a body here"));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if path != "/live" {
            return Ok(Request::File(path.to_owned()));
        }
        if origin.is_none() {
            return Err(refused("403 Forbidden", "only the page may open the socket"));
        }
        if !query.strip_prefix("token=").is_some_and(|token| self.token.is(token)) {
            return Err(refused("403 Forbidden", "the token is not that of the link"));
        }
        headers.upgrade()
    }
}

struct Headers<'a>(&'a [httparse::Header<'a>]);

impl<'a> Headers<'a> {
    /// The value of a header. One that comes twice may be read in two ways, so it is refused.
    fn only(&self, name: &str) -> Result<Option<&'a str>, Refusal> {
        let mut named = self.0.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        let (first, second) = (named.next(), named.next());
        if second.is_some() {
            return Err(refused("400 Bad Request", "a header comes twice"));
        }
        first.map(|header| std::str::from_utf8(header.value).map_err(|_| MALFORMED)).transpose()
    }

    fn has_word(&self, name: &str, word: &str) -> Result<bool, Refusal> {
        let words = self.only(name)?.unwrap_or_default();
        Ok(words.split(',').any(|other| other.trim().eq_ignore_ascii_case(word)))
    }

    /// The rest of a request for a WebSocket (RFC 6455, section 4.2.1).
    fn upgrade(&self) -> Result<Request, Refusal> {
        if !self.has_word("Upgrade", "websocket")? || !self.has_word("Connection", "upgrade")? {
            return Err(refused("426 Upgrade Required", "this is a WebSocket"));
        }
        if self.only("Sec-WebSocket-Version")? != Some("13") {
            return Err(refused("426 Upgrade Required", "the version of WebSockets here is 13"));
        }
        let key = self.only("Sec-WebSocket-Key")?.unwrap_or_default();
        // 16 bytes in base64.
        if key.len() != 24 || !key.ends_with("==") {
            return Err(refused("400 Bad Request", "the key of the WebSocket is none"));
        }
        Ok(Request::Socket { accept: derive_accept_key(key.as_bytes()) })
    }
}
