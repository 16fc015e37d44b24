"""AccessToken2 after its layout, independent of the Swift code: made and checked with the standard library only.

  access_token.py make    one JSON object a line on standard input -> one token a line
  access_token.py show    one "CERTIFICATE TOKEN" a line -> one JSON object a line
"""
import base64, hashlib, hmac, json, struct, sys, zlib


def text(value):
    data = value.encode()
    return struct.pack("<H", len(data)) + data


def privileges(values):
    items = sorted((int(key), value) for key, value in values.items())
    return struct.pack("<H", len(items)) + b"".join(struct.pack("<HI", *item) for item in items)


def sign(certificate, issued, salt, body):
    key = hmac.new(struct.pack("<I", issued), certificate.encode(), hashlib.sha256).digest()
    key = hmac.new(struct.pack("<I", salt), key, hashlib.sha256).digest()
    return hmac.new(key, body, hashlib.sha256).digest()


def make(fields):
    services = []
    if "rtc" in fields:
        rtc = fields["rtc"]
        services.append(struct.pack("<H", 1) + privileges(rtc["privileges"]) + text(rtc["channel"]) + text(rtc["user"]))
    if "signaling" in fields:
        signaling = fields["signaling"]
        services.append(struct.pack("<H", 2) + privileges(signaling["privileges"]) + text(signaling["user"]))
    if fields.get("unknown"):
        services.append(struct.pack("<H", 77) + b"whatever this may be")
    body = text(fields["app"]) + struct.pack("<III", fields["issued"], fields["lifetime"], fields["salt"])
    body += struct.pack("<H", len(services)) + b"".join(services)
    signature = sign(fields["certificate"], fields["issued"], fields["salt"], body)
    content = struct.pack("<H", len(signature)) + signature + body
    level = fields.get("level", -1)
    return "007" + base64.b64encode(zlib.compress(content, level)).decode()


class Reader:
    def __init__(self, data):
        self.data = data

    def take(self, layout):
        size = struct.calcsize(layout)
        values = struct.unpack(layout, self.data[:size])
        self.data = self.data[size:]
        return values[0] if len(values) == 1 else values

    def bytes(self):
        size = self.take("<H")
        value, self.data = self.data[:size], self.data[size:]
        return value

    def privileges(self):
        return {str(key): value for key, value in (self.take("<HI") for _ in range(self.take("<H")))}


def show(certificate, token):
    reader = Reader(zlib.decompress(base64.b64decode(token[3:], validate=True)))
    signature, body = reader.bytes(), reader.data
    fields = {"app": reader.bytes().decode()}
    fields["issued"], fields["lifetime"], fields["salt"] = reader.take("<III")
    for _ in range(reader.take("<H")):
        kind = reader.take("<H")
        service = {"privileges": reader.privileges()}
        if kind == 1:
            service["channel"] = reader.bytes().decode()
        service["user"] = reader.bytes().decode()
        fields["rtc" if kind == 1 else "signaling"] = service
    fields["signed"] = hmac.compare_digest(signature, sign(certificate, fields["issued"], fields["salt"], body))
    return fields


for line in sys.stdin:
    if sys.argv[1] == "make":
        print(make(json.loads(line)))
    else:
        print(json.dumps(show(*line.split()), sort_keys=True))
