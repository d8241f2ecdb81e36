//! Accepts connections, a thread for each.

use super::assets::asset;
use super::client::{ClientId, FromClient, serve_client};
use super::head::{Gate, Refusal, Request, read_head};
use super::token::Token;
use super::{MOST_CONNECTIONS, WRITE_TIME};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Messages of pages that wait for the room. A page that sends more waits.
const MOST_ORDERS: usize = 256;

/// How long a connection over the limit waits for another to end: a page loads its files a few at a time.
const QUEUEING: Duration = Duration::from_millis(500);

/// A server on 127.0.0.1.
pub(in crate::inspector) struct Listener {
    shared: Arc<Shared>,
    address: SocketAddr,
    from_clients: Receiver<FromClient>,
    thread: Option<JoinHandle<()>>,
}

/// What all connections share.
pub(super) struct Shared {
    gate: Gate,
    to_room: SyncSender<FromClient>,
    connections: AtomicUsize,
    next_client: AtomicU32,
    is_over: AtomicBool,
}

impl Listener {
    /// Listens on a port; on any free one, if it is 0.
    pub(in crate::inspector) fn open(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let (to_room, from_clients) = sync_channel(MOST_ORDERS);
        let shared = Arc::new(Shared {
            gate: Gate { host: address.to_string(), token: Token::new()? },
            to_room,
            connections: AtomicUsize::new(0),
            next_client: AtomicU32::new(1),
            is_over: AtomicBool::new(false),
        });
        let of_thread = shared.clone();
        let thread =
            std::thread::Builder::new().name("page".into()).spawn(move || accept(&listener, &of_thread))?;
        Ok(Self { shared, address, from_clients, thread: Some(thread) })
    }

    /// The address of the page, with the token behind the `#`, where no server and no log sees it.
    pub(in crate::inspector) fn link(&self) -> String {
        format!("{}/#{}", self.shared.gate.origin(), self.shared.gate.token.as_str())
    }

    /// What the pages sent since the last call, in order.
    pub(in crate::inspector) fn take(&self) -> impl Iterator<Item = FromClient> + '_ {
        self.from_clients.try_iter().take(MOST_ORDERS)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts. If that fails, it is left behind.
        if TcpStream::connect_timeout(&self.address, Duration::from_secs(1)).is_ok()
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
        // The pages are told that the room has ended; one that takes nothing is not waited for.
        let mut looks = 50;
        while self.shared.connections.load(Ordering::Relaxed) > 0 && looks > 0 {
            std::thread::sleep(Duration::from_millis(10));
            looks -= 1;
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.is_over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            std::thread::sleep(Duration::from_millis(10)); // too many open files, say
            continue;
        };
        let _ = stream.set_write_timeout(Some(WRITE_TIME));
        let _ = stream.set_nodelay(true);
        if !has_room(shared) {
            refuse(
                &stream,
                &Refusal { status: "503 Service Unavailable", why: "there are too many connections" },
            );
            continue;
        }
        let connection = Connection::take(shared);
        let served =
            std::thread::Builder::new().name("page".into()).spawn(move || serve(stream, &connection));
        drop(served); // without a thread, the connection is closed
    }
}

/// Whether there is room for one more connection, after waiting a little for it.
fn has_room(shared: &Shared) -> bool {
    const LOOK: Duration = Duration::from_millis(10);
    let is_free = || shared.connections.load(Ordering::Relaxed) < MOST_CONNECTIONS;
    let mut looks = QUEUEING.as_millis() / LOOK.as_millis();
    while !is_free() && looks > 0 {
        std::thread::sleep(LOOK);
        looks -= 1;
    }
    is_free()
}

/// One of the connections, counted until it is dropped.
struct Connection(Arc<Shared>);

impl Connection {
    fn take(shared: &Arc<Shared>) -> Self {
        shared.connections.fetch_add(1, Ordering::Relaxed);
        Self(shared.clone())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

fn serve(mut stream: TcpStream, connection: &Connection) {
    let shared = &connection.0;
    let admitted = match read_head(&mut stream) {
        Ok(Some(head)) => shared.gate.admit(&head),
        Ok(None) => return,
        Err(refusal) => Err(refusal),
    };
    match admitted {
        Ok(Request::File(path)) => match asset(&path) {
            Some(asset) => answer(&stream, "200 OK", asset.kind, asset.content, &shared.gate),
            None => refuse(&stream, &Refusal { status: "404 Not Found", why: "there is no such file" }),
        },
        Ok(Request::Socket { accept }) => {
            let head = format!(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                 Sec-WebSocket-Accept: {accept}\r\n\r\n"
            );
            if stream.write_all(head.as_bytes()).is_ok() {
                let id = ClientId(shared.next_client.fetch_add(1, Ordering::Relaxed));
                serve_client(stream, id, &shared.to_room, &shared.is_over);
            }
        }
        Err(refusal) => {
            log::debug!("page: refused a request: {}", refusal.why);
            refuse(&stream, &refusal);
        }
    }
}

fn answer(mut stream: &TcpStream, status: &str, kind: &str, content: &[u8], gate: &Gate) {
    // Scripts and styles only from here, nobody may frame the page, and names are never read as markup.
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
         connect-src 'self' ws://{}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        gate.host
    );
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Content-Security-Policy: {policy}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cache-Control: no-store\r\n\r\n",
        content.len()
    );
    if stream.write_all(head.as_bytes()).is_ok() {
        let _ = stream.write_all(content);
    }
}

fn refuse(mut stream: &TcpStream, refusal: &Refusal) {
    let Refusal { status, why } = refusal;
    let length = why.len() + 1;
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
         Connection: close\r\nX-Content-Type-Options: nosniff\r\n\r\n{why}\n"
    );
    let _ = stream.write_all(text.as_bytes());
}
