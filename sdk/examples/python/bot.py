"""A client for Gatehouse without a library, written from docs/protocol-notes.md and gatehouse.proto. It connects with
an API token, walks three blocks, places a block, says hello, and prints chat for so many seconds:

GATEHOUSE_TOKEN=ght_... python3 bot.py http://127.0.0.1:3000 gatehouse.proto 60
"""

import base64, io, math, os, queue, re, struct, sys, threading, time
from functools import partial
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

# The wire type, the zero, the encoder and the decoder of each type of field.
TYPES = {
    "uint32": (0, 0, int, int),
    "sint32": (0, 0, lambda value: value << 1 ^ value >> 31, lambda raw: raw >> 1 ^ -(raw & 1)),
    "bool": (0, False, int, bool),
    "double": (1, 0, partial(struct.pack, "<d"), lambda raw: struct.unpack("<d", raw)[0]),
    "float": (5, 0, partial(struct.pack, "<f"), lambda raw: struct.unpack("<f", raw)[0]),
    "string": (2, "", str.encode, bytes.decode),
    "bytes": (2, b"", bytes, bytes),
}


class Protocol:
    """Encodes and decodes the messages of a .proto file as dictionaries."""

    def __init__(self, path):
        text = re.sub(r"//.*", "", open(path, encoding="utf-8").read())
        text = re.sub(r"oneof \w+ \{([^}]*)\}", r"\1", text)
        field = re.compile(r"(optional|repeated|) ?([\w.]+) (\w+) = (\d+);")
        self.messages = {
            name: {int(number): (key, type_, label) for label, type_, key, number in field.findall(body)}
            for name, body in re.findall(r"message (\w+) \{([^}]*)\}", text)
        }

    def type(self, name):
        return TYPES.get(name) or (2, None, partial(self.encode, name), partial(self.decode, name))

    def encode(self, name, values):
        out = b""
        for number, (key, type_, label) in self.messages[name].items():
            wire, _, encode, _ = self.type(type_)
            for value in [] if key not in values else values[key] if label == "repeated" else [values[key]]:
                data = encode(value)
                out += varint(number << 3 | wire)
                out += varint(data) if wire == 0 else varint(len(data)) + data if wire == 2 else data
        return out

    def decode(self, name, data):
        """Absent fields have their zero. Absent messages and optional fields are left out."""
        fields, file = self.messages.get(name, {}), io.BytesIO(data)
        values = {key: [] for key, _, label in fields.values() if label == "repeated"}
        values |= {key: TYPES[type_][1] for key, type_, label in fields.values() if label == "" and type_ in TYPES}
        while file.tell() < len(data):
            number, wire = divmod(read_varint(file), 8)
            raw = read_varint(file) if wire == 0 else file.read({1: 8, 5: 4}.get(wire) or read_varint(file))
            if number in fields:
                key, type_, label = fields[number]
                expected, _, _, decode = self.type(type_)
                found = [decode(one) for one in (unpack(raw) if wire == 2 and expected == 0 else [raw])]
                values[key] = values[key] + found if label == "repeated" else found[0]
        return values


def varint(value):
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def read_varint(file):
    byte = file.read(1)[0]
    return byte if byte < 128 else byte & 127 | read_varint(file) << 7


def unpack(data):
    file = io.BytesIO(data)
    return [read_varint(file) for byte in data if byte < 128]


class WebSocket:
    def __init__(self, url):
        at = urlsplit(url)
        connection = (HTTPSConnection if at.scheme == "https" else HTTPConnection)(at.netloc)
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key}
        connection.request("GET", at.path.rstrip("/") + "/realtime", headers=upgrade)
        answer = connection.getresponse()
        if answer.status != 101:
            sys.exit(f"The server refused the connection: {answer.status} {answer.read().decode()}")
        self.socket, self.file, self.messages = connection.sock, connection.sock.makefile("rb"), queue.Queue()
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
        self.protocol, self.link, self.columns = Protocol(proto), WebSocket(url), {}
        self.send(connect={"token": token, "protocol_version": 1, "client_name": "python"})
        self.welcome = self.next("welcome")
        self.position = self.welcome["position"]
        self.solid = {block["index"] for block in self.welcome["blocks"] if block["solid"]}

    def send(self, **message):
        self.link.send(self.protocol.encode("ClientMessage", message))

    def next(self, kind, seconds=10):
        """Handles messages until one of the kind arrives, and returns it; None if the time is up."""
        end = time.monotonic() + seconds
        while True:
            try:
                data = self.link.messages.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                return None
            if data is None:
                sys.exit("The connection was lost.")
            for heard, value in self.protocol.decode("ServerMessage", data).items():
                self.handle(heard, value)
                if heard == kind:
                    return value

    def handle(self, kind, value):
        if kind == "chunk":
            self.columns[value["cx"], value["cz"]] = {section["y"]: section for section in value["sections"]}
        elif kind == "correction":
            self.position = value["position"]
            print("corrected:", value["reason"])
        elif kind == "chat_message":
            print(f"<{value['from']}> {value['text']}", flush=True)
        elif kind == "error":
            print("refused:", value["message"])
        elif kind == "kick":
            sys.exit(f"{value['code']}: {value['reason']}")

    def is_solid(self, x, y, z):
        section = self.columns[x >> 4, z >> 4].get(y >> 4, {"bits": 0, "data": b"", "palette": [0]})
        bit = section["bits"] * ((y & 15) * 256 + (z & 15) * 16 + (x & 15))
        # An entry of 16 bits is in two bytes, the lower one first. Any other is in one byte.
        data = int.from_bytes(section["data"][bit >> 3 : (bit >> 3) + 2], "little")
        return section["palette"][data >> (bit & 7) & (1 << section["bits"]) - 1] in self.solid

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
            self.next("kick", 0.05)
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
    game.next("kick", float(seconds))
    game.send(disconnect={})


main(*sys.argv[1:])
