//! A page that is connected: one thread reads its messages and sends what is in its mailbox.

use super::{MOST_MESSAGE_BYTES, Mailbox};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Duration;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

/// A connected page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::inspector) struct ClientId(pub(in crate::inspector) u32);

/// What a page sent.
pub(in crate::inspector) enum FromClient {
    /// It has connected; its messages go into this mailbox.
    Came(ClientId, Arc<Mailbox>),
    /// An order.
    Said(ClientId, Message),
    /// It is gone.
    Left(ClientId),
}

/// How long a thread waits for a message before it looks into the mailbox: half a frame.
const LISTENING: Duration = Duration::from_millis(8);

/// The most bytes that wait to be written beside the message that is being written.
const MOST_UNWRITTEN_BYTES: usize = 64 << 20;

/// Serves a page until it leaves.
pub(super) fn serve_client(
    stream: TcpStream,
    id: ClientId,
    to_room: &SyncSender<FromClient>,
    is_over: &AtomicBool,
) {
    let mailbox = Arc::new(Mailbox::default());
    if stream.set_read_timeout(Some(LISTENING)).is_err()
        || to_room.send(FromClient::Came(id, mailbox.clone())).is_err()
    {
        return;
    }
    let config = WebSocketConfig::default()
        .max_message_size(Some(MOST_MESSAGE_BYTES))
        .max_frame_size(Some(MOST_MESSAGE_BYTES))
        .read_buffer_size(16 << 10)
        .write_buffer_size(0)
        .max_write_buffer_size(MOST_UNWRITTEN_BYTES);
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    while !is_over.load(Ordering::Relaxed) && !mailbox.is_closed() {
        if !listen(&mut socket, id, to_room) {
            break;
        }
        if !tell(&mut socket, &mailbox) {
            // A page that takes nothing takes no farewell either: it would only be waited for again.
            let _ = to_room.send(FromClient::Left(id));
            return;
        }
    }
    // The page is told whether the room has ended, or only the connection.
    let has_ended = is_over.load(Ordering::Relaxed) || mailbox.is_closed();
    let (code, reason) = match has_ended {
        true => (CloseCode::Away, "the room has ended"),
        false => (CloseCode::Error, "the connection cannot go on"),
    };
    let _ = socket.close(Some(CloseFrame { code, reason: reason.into() }));
    let _ = socket.flush();
    let _ = to_room.send(FromClient::Left(id)); // an error if the room is gone
}

/// Reads what has arrived; whether the page is still there.
fn listen(socket: &mut WebSocket<TcpStream>, id: ClientId, to_room: &SyncSender<FromClient>) -> bool {
    match socket.read() {
        Ok(message @ Message::Text(_)) => to_room.send(FromClient::Said(id, message)).is_ok(),
        Ok(Message::Close(_)) => false,
        Ok(_) => true,
        Err(Error::Io(error)) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        Err(error) => {
            log::debug!("page: {error}");
            false
        }
    }
}

/// Sends what is in the mailbox; whether it arrived. A page that takes nothing holds up this thread only. To one that is
/// slower than the room, something new is always there: after some messages the page is listened to again.
fn tell(socket: &mut WebSocket<TcpStream>, mailbox: &Mailbox) -> bool {
    const AT_ONCE: usize = 16;
    (0..AT_ONCE).map_while(|_| mailbox.take()).all(|message| socket.send(message).is_ok())
}
