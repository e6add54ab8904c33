"""A client for Gatehouse without a library, written from docs/protocol-notes.md and gatehouse.proto. It connects with
an API token, walks three blocks, places a block, says hello, and prints chat for so many seconds:

GATEHOUSE_TOKEN=ght_... python3 bot.py http://127.0.0.1:3000 gatehouse.proto 60
"""

import base64, math, os, queue, re, socket, ssl, struct, sys, threading, time
from urllib.parse import urlsplit

WIRE = {"uint32": 0, "sint32": 0, "bool": 0, "double": 1, "float": 5}  # All other types have a length: 2.
FORMAT = {"double": "<d", "float": "<f"}
ZERO = {"string": "", "bytes": b"", "bool": False}


class Protocol:
    """Encodes and decodes the messages of a .proto file as dictionaries."""

    def __init__(self, path):
        text = re.sub(r"//.*", "", open(path, encoding="utf-8").read())
        text = re.sub(r"oneof \w+ \{([^}]*)\}", r"\1", text)
        field = re.compile(r"(optional |repeated |)([\w.]+) (\w+) = (\d+);")
        self.messages = {
            name: {int(number): (name_, type_, label.strip()) for label, type_, name_, number in field.findall(body)}
            for name, body in re.findall(r"message (\w+) \{([^}]*)\}", text)
        }

    def encode(self, name, values):
        out = b""
        for number, (field, type_, label) in self.messages[name].items():
            if field in values:
                for value in values[field] if label == "repeated" else [values[field]]:
                    out += varint(number << 3 | WIRE.get(type_, 2)) + self.encode_value(type_, value)
        return out

    def encode_value(self, type_, value):
        if type_ in FORMAT:
            return struct.pack(FORMAT[type_], value)
        if type_ in WIRE:
            return varint((value * 2 if value >= 0 else -value * 2 - 1) if type_ == "sint32" else value)
        data = value.encode() if type_ == "string" else self.encode(type_, value)
        return varint(len(data)) + data

    def decode(self, name, data):
        """Absent fields have their zero; absent messages and optional fields are None."""
        fields, at = self.messages.get(name, {}), 0
        is_none = lambda type_, label: label == "optional" or type_ in self.messages
        values = {f: [] if l == "repeated" else None if is_none(t, l) else ZERO.get(t, 0) for f, t, l in fields.values()}
        while at < len(data):
            tag, at = read_varint(data, at)
            field, type_, label = fields.get(tag >> 3, (None, None, None))
            if tag & 7 == 0:
                raw, at = read_varint(data, at)
            else:
                size, at = read_varint(data, at) if tag & 7 == 2 else ({1: 8, 5: 4}[tag & 7], at)
                raw, at = data[at : at + size], at + size
            if field is None:
                continue
            value = self.decode_value(type_, raw, label)
            values[field] = value if label != "repeated" else values[field] + (value if type_ in WIRE else [value])
        return values

    def decode_value(self, type_, raw, label):
        if label == "repeated" and type_ in WIRE:
            values, at = [], 0
            while at < len(raw):
                value, at = read_varint(raw, at)
                values.append(value)
            return values
        if type_ in FORMAT:
            return struct.unpack(FORMAT[type_], raw)[0]
        if type_ == "sint32":
            return raw >> 1 if raw & 1 == 0 else ~(raw >> 1)
        return raw.decode() if type_ == "string" else raw if type_ in WIRE or type_ == "bytes" else self.decode(type_, raw)


def varint(value):
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def read_varint(data, at):
    value = shift = 0
    while data[at] > 127:
        value, shift, at = value | (data[at] & 127) << shift, shift + 7, at + 1
    return value | data[at] << shift, at + 1


class WebSocket:
    def __init__(self, url):
        at = urlsplit(url)
        self.socket = socket.create_connection((at.hostname, at.port or (443 if at.scheme == "https" else 80)))
        if at.scheme == "https":
            self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=at.hostname)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET {at.path.rstrip('/')}/realtime HTTP/1.1\r\nHost: {at.netloc}\r\nConnection: Upgrade\r\n"
        head += f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        self.socket.sendall(head.encode())
        self.file, self.messages = self.socket.makefile("rb"), queue.Queue()
        status = self.file.readline().decode().strip()
        if " 101 " not in status:
            sys.exit(f"The server refused the connection: {status}")
        while self.file.readline().strip() != b"":
            pass
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Passes on the messages, and answers pings."""
        while header := self.file.read(2):
            opcode, size = header[0] & 15, header[1]
            data = self.file.read(size if size < 126 else int.from_bytes(self.file.read(2 if size == 126 else 8), "big"))
            if opcode == 9:
                self.send(data, 10)
            elif opcode == 2:
                self.messages.put(data)
        self.messages.put(None)

    def send(self, data, opcode=2):
        length = bytes([128 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        mask = os.urandom(4)
        self.socket.sendall(bytes([128 | opcode]) + length + mask + bytes(b ^ mask[i & 3] for i, b in enumerate(data)))


class Game:
    def __init__(self, url, proto, token):
        self.protocol, self.link, self.columns, self.last = Protocol(proto), WebSocket(url), {}, {}
        self.send(connect={"token": token, "protocol_version": 1, "client_name": "python"})
        self.welcome = self.next("welcome")
        self.position = self.welcome["position"]
        self.solid = {block["index"] for block in self.welcome["blocks"] if block["solid"]}

    def send(self, **message):
        self.link.send(self.protocol.encode("ClientMessage", message))

    def hear(self, within):
        try:
            data = self.link.messages.get(timeout=max(0, within))
        except queue.Empty:
            return
        if data is None:
            sys.exit("The connection was lost.")
        for kind, value in self.protocol.decode("ServerMessage", data).items():
            if value is not None:
                self.last[kind] = value
                getattr(self, kind, lambda _: None)(value)

    def next(self, kind):
        """The next message of a kind."""
        self.last.pop(kind, None)
        while kind not in self.last:
            self.hear(10)
        return self.last[kind]

    def hear_for(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.hear(end - time.monotonic())

    def chunk(self, chunk):
        self.columns[chunk["cx"], chunk["cz"]] = {section["y"]: section for section in chunk["sections"]}

    def correction(self, correction):
        self.position = correction["position"]
        print("corrected:", correction["reason"])

    def chat_message(self, line):
        print(f"<{line['from']}> {line['text']}", flush=True)

    def error(self, error):
        print("refused:", error["message"])

    def kick(self, kick):
        sys.exit(f"{kick['code']}: {kick['reason']}")

    def is_solid(self, x, y, z):
        section = self.columns[x >> 4, z >> 4].get(y >> 4)
        if section is None:
            return False
        bits, data, entry = section["bits"], section["data"], (y & 15) * 256 + (z & 15) * 16 + (x & 15)
        index = 0
        if bits == 16:
            index = data[2 * entry] + 256 * data[2 * entry + 1]
        elif bits > 0:
            index = data[entry * bits >> 3] >> (entry * bits & 7) & (1 << bits) - 1
        return section["palette"][index] in self.solid

    def ground(self, x, z):
        """The top of the highest solid block under a body there."""
        under = {(math.floor(x + dx), math.floor(z + dz)) for dx in (-0.3, 0.3) for dz in (-0.3, 0.3)}
        while any((bx >> 4, bz >> 4) not in self.columns for bx, bz in under):
            self.next("chunk")
        return next((y + 1 for y in range(255, -1, -1) if any(self.is_solid(bx, y, bz) for bx, bz in under)), 0)

    def walk(self, blocks):
        """Walks along +x at 4 blocks a second. Returns after the server has handled it all."""
        for seq in range(1, blocks * 5 + 1):
            x, z = self.position["x"] + 0.2, self.position["z"]
            self.position = {"x": x, "y": self.ground(x, z), "z": z, "yaw": 0, "pitch": 0}
            self.send(move={"seq": seq, **self.position})
            self.hear_for(0.05)
        self.send(ping={"nonce": 1})
        self.next("pong")


def main(url, proto, seconds):
    game = Game(url, proto, os.environ["GATEHOUSE_TOKEN"])
    print(f"{game.welcome['display_name']} plays in {game.welcome['world']['name']}")
    start = game.position["x"]
    game.walk(3)
    print(f"walked {game.position['x'] - start:.1f} blocks")
    x, z = math.floor(game.position["x"]) + 2, math.floor(game.position["z"])
    edit = {"x": x, "y": game.ground(x + 0.5, z + 0.5), "z": z, "type": "stone"}
    game.send(edit_blocks={"seq": 1, "edits": [edit]})
    result = game.next("edit_result")
    print("built" if result["ok"] else f"not built: {result['reason']}")
    game.send(chat={"text": "hello from Python"})
    game.hear_for(float(seconds))
    game.send(disconnect={})


main(*sys.argv[1:])
