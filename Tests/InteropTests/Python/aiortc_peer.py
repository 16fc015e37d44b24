"""A WebRTC peer by aiortc: publishes by WHIP or plays by WHEP until standard input ends, then prints what it saw as JSON.

usage: aiortc_peer.py publish|play URL [LOSS] [BITRATE] [PORT]

LOSS is the share of video packets that are lost: on the way out for a publisher, on the way in for a player. Packets that
are sent again get through. To BITRATE a player's own estimate falls once, after three seconds of pictures, unless it is 0.
With PORT, media goes there instead of to the port that the server names.
"""

import array
import asyncio
import fractions
import json
import math
import os
import random
import re
import sys
import threading
import urllib.parse
import urllib.request

import aioice.ice
import av
from aiortc import (
    MediaStreamTrack,
    RTCPeerConnection,
    RTCSessionDescription,
    rate,
    rtcdtlstransport,
    rtcrtpreceiver,
    rtcrtpsender,
)
from aiortc.rtp import is_rtcp

# Tests stay on the loopback interface, which aioice leaves out.
aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: ["127.0.0.1"]

WIDTH, HEIGHT = 320, 240
# Luma of the left and the right half.
LEFT, RIGHT = 60, 180

seen = {"video": 0, "audio": 0, "retransmitted": 0, "dropped": 0, "keyFrameRequests": 0, "nacks": 0}
chance = random.Random(1)


class Picture(MediaStreamTrack):
    kind = "video"

    def __init__(self):
        super().__init__()
        self.count = 0

    async def recv(self):
        await asyncio.sleep(1 / 30)
        frame = av.VideoFrame(WIDTH, HEIGHT, "yuv420p")
        luma, *chroma = frame.planes
        still = (bytes([LEFT]) * (WIDTH // 2) + bytes([RIGHT]) * (WIDTH // 2)).ljust(luma.line_size, b"\0")
        # The lower half changes all the time, and is hard to foretell.
        changing = [chance.randbytes(luma.line_size) for _ in range(HEIGHT // 2)]
        luma.update(still * (HEIGHT - HEIGHT // 2) + b"".join(changing))
        for plane in chroma:
            plane.update(bytes([128]) * plane.buffer_size)
        self.count += 1
        frame.pts, frame.time_base = self.count * 3000, fractions.Fraction(1, 90000)
        return frame


class Tone(MediaStreamTrack):
    kind = "audio"

    def __init__(self):
        super().__init__()
        self.count = 0

    async def recv(self):
        await asyncio.sleep(0.02)
        samples = (int(8000 * math.sin(2 * math.pi * 440 * (self.count + place) / 48000)) for place in range(960))
        frame = av.AudioFrame(format="s16", layout="mono", samples=960)
        frame.planes[0].update(array.array("h", samples).tobytes())
        frame.sample_rate, frame.pts, frame.time_base = 48000, self.count, fractions.Fraction(1, 48000)
        self.count += 960
        return frame


def lose(loss, video_types, rtx_types):
    """Drops video packets, and counts those that are sent again, on both ways through the DTLS transport."""
    transport = rtcdtlstransport.RTCDtlsTransport
    send, receive = transport._send_rtp, transport._handle_rtp_data

    def passes(data):
        kind = data[1] & 0x7F
        seen["retransmitted"] += kind in rtx_types
        drops = kind in video_types and chance.random() < loss
        seen["dropped"] += drops
        return not drops

    async def send_rtp(self, data):
        if is_rtcp(data) or passes(data):
            await send(self, data)

    async def handle_rtp_data(self, data, arrival_time_ms):
        if passes(data):
            await receive(self, data, arrival_time_ms=arrival_time_ms)

    transport._send_rtp, transport._handle_rtp_data = send_rtp, handle_rtp_data


def count_requests():
    sender = rtcrtpsender.RTCRtpSender
    retransmit, key_frame = sender._retransmit, sender._send_keyframe

    async def counted_retransmit(self, sequence_number):
        seen["nacks"] += 1
        await retransmit(self, sequence_number)

    def counted_key_frame(self):
        seen["keyFrameRequests"] += 1
        key_frame(self)

    sender._retransmit, sender._send_keyframe = counted_retransmit, counted_key_frame


def note_estimates():
    """What the server tells a publisher that it may send (REMB), and how often a player tells the server."""
    unpack, pack = rtcrtpsender.unpack_remb_fci, rtcrtpreceiver.pack_remb_fci

    def unpack_noted(data):
        bitrate, ssrcs = unpack(data)
        seen["told"] = bitrate
        return bitrate, ssrcs

    def pack_noted(bitrate, ssrcs):
        seen["estimates"] = seen.get("estimates", 0) + 1
        return pack(bitrate, ssrcs)

    rtcrtpsender.unpack_remb_fci, rtcrtpreceiver.pack_remb_fci = unpack_noted, pack_noted


def let_estimate_fall(bitrate):
    update = rate.AimdRateControl.update

    def falling_update(self, *arguments):
        estimate = update(self, *arguments)
        if estimate is None or "fell" in seen or seen["video"] < 90:
            return estimate
        seen["fell"] = seen["video"]
        self.current_bitrate = bitrate
        return bitrate

    rate.AimdRateControl.update = falling_update


async def watch(track):
    while True:
        frame = await track.recv()
        seen[track.kind] += 1
        if track.kind == "video":
            seen["width"], seen["height"] = frame.width, frame.height
            row = bytes(frame.planes[0])[: frame.width]
            seen["luma"] = [row[frame.width // 4], row[3 * frame.width // 4]]
        else:
            seen["loudest"] = max(seen.get("loudest", 0), max(map(abs, array.array("h", bytes(frame.planes[0])))))
        # Progress for whoever waits for it.
        print(json.dumps(seen), flush=True)


def payload_types(description):
    """Those of VP8, and those of packets sent again."""
    found = {"VP8/90000": set(), "rtx/90000": set()}
    for line in description.splitlines():
        if line.startswith("a=rtpmap:"):
            number, codec = line[9:].split(" ", 1)
            found.get(codec, set()).add(int(number))
    return found["VP8/90000"], found["rtx/90000"]


async def main(purpose, url, loss, port):
    connection = RTCPeerConnection()
    tasks = []
    if purpose == "publish":
        for track in (Tone(), Picture()):
            connection.addTransceiver(track, direction="sendonly")
    else:
        connection.on("track", lambda track: tasks.append(asyncio.ensure_future(watch(track))))
        for kind in ("audio", "video"):
            connection.addTransceiver(kind, direction="recvonly")
    await connection.setLocalDescription(await connection.createOffer())
    count_requests()
    note_estimates()
    request = urllib.request.Request(
        url, connection.localDescription.sdp.encode(), {"Content-Type": "application/sdp"}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        answer, location = response.read().decode(), response.headers["Location"]
    if port:
        answer = re.sub(r"(candidate:.* 127\.0\.0\.1 )\d+", rf"\g<1>{port}", answer)
    lose(loss, *payload_types(answer))
    await connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    # First, since closing may take longer than a silent session lasts.
    session = urllib.request.Request(urllib.parse.urljoin(url, location), method="DELETE")
    with urllib.request.urlopen(session, timeout=10) as response:
        seen["deleted"] = response.status
    for task in tasks:
        task.cancel()
    await connection.close()
    print(json.dumps(seen), flush=True)


# Whatever happens, no test's process stays.
threading.Timer(90, lambda: os._exit(1)).start()
purpose, url, *numbers = sys.argv[1:]
loss, bitrate, port = (numbers + ["0"] * 3)[:3]
if int(bitrate):
    let_estimate_fall(int(bitrate))
asyncio.run(main(purpose, url, float(loss), int(port)))
os._exit(0)
