"""A WebRTC peer by GStreamer's webrtcbin: publishes by WHIP or plays by WHEP until standard input ends, then prints what it
saw as JSON.

usage: gstreamer_peer.py publish|play URL
"""

import array
import json
import os
import sys
import threading
import urllib.parse
import urllib.request

import gi

for name in ("Gst", "GstSdp", "GstWebRTC"):
    gi.require_version(name, "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

Gst.init(None)
VIDEO = "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96"
AUDIO = "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,encoding-params=(string)2,payload=111"
PUBLISHER = f"""
  webrtcbin name=peer bundle-policy=max-bundle latency=0
  videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=30/1
    ! vp8enc name=encoder deadline=1 keyframe-max-dist=3000 target-bitrate=400000
    ! rtpvp8pay picture-id-mode=15-bit ! {VIDEO} ! queue ! peer.
  audiotestsrc is-live=true wave=sine ! audioconvert ! audioresample ! opusenc ! rtpopuspay ! {AUDIO} ! queue ! peer.
"""
DECODERS = {
    "video": "rtpvp8depay ! vp8dec ! videoconvert ! video/x-raw,format=I420",
    "audio": "rtpopusdepay ! opusdec ! audioconvert ! audio/x-raw,format=S16LE",
}
seen = {"video": 0, "audio": 0, "keyFrameRequests": 0, "loudest": 0}
# What must live longer than the bindings think.
kept = []


def ask(peer, signal, argument, reply=None):
    """Emits a signal that takes a promise last; the part `reply` of what comes of it."""
    promise = Gst.Promise.new()
    peer.emit(signal, argument, promise)
    promise.wait()
    if reply is None:
        return None
    # What the reply points to lives no longer than the reply.
    kept.append(promise.get_reply())
    return kept[-1].get_value(reply)


def note(pad, information, kind):
    seen[kind] += 1
    structure = pad.get_current_caps().get_structure(0)
    content = information.get_buffer()
    if kind == "video":
        seen["width"], seen["height"] = structure.get_value("width"), structure.get_value("height")
    else:
        samples = array.array("h", content.extract_dup(0, content.get_size()))
        seen["loudest"] = max(seen["loudest"], *map(abs, samples))
    print(json.dumps(seen), flush=True)
    return Gst.PadProbeReturn.OK


def play_pad(peer, pad, pipeline):
    if pad.direction != Gst.PadDirection.SRC:
        return
    kind = pad.get_current_caps().get_structure(0).get_value("media")
    decoder = Gst.parse_bin_from_description(DECODERS[kind] + " ! fakesink name=sink sync=false async=false", True)
    decoder.get_by_name("sink").get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, note, kind)
    pipeline.add(decoder)
    decoder.sync_state_with_parent()
    pad.link(decoder.get_static_pad("sink"))


def count_key_frame_requests(pad, information):
    structure = information.get_event().get_structure()
    seen["keyFrameRequests"] += structure is not None and structure.get_name() == "GstForceKeyUnit"
    return Gst.PadProbeReturn.OK


def make_pipeline(purpose):
    # Something on its own would not be put into a pipeline.
    # Without any latency its jitter buffer gives up packets that come a moment later than it expects.
    player = "webrtcbin name=peer bundle-policy=max-bundle latency=20 fakesrc num-buffers=0 ! fakesink async=false"
    pipeline = Gst.parse_launch(PUBLISHER if purpose == "publish" else player)
    peer = pipeline.get_by_name("peer")
    # Tests stay on the loopback interface.
    ice = peer.get_property("ice-agent")
    kept.append(ice)
    ice.emit("add-local-ip-address", "127.0.0.1")
    agent = ice.get_property("agent")
    kept.append(agent)
    agent.set_property("upnp", False)
    if purpose == "publish":
        pad = pipeline.get_by_name("encoder").get_static_pad("src")
        pad.add_probe(Gst.PadProbeType.EVENT_UPSTREAM, count_key_frame_requests)
        for index in range(2):
            transceiver = peer.emit("get-transceiver", index)
            transceiver.set_property("direction", GstWebRTC.WebRTCRTPTransceiverDirection.SENDONLY)
            transceiver.set_property("do-nack", True)
    else:
        peer.connect("pad-added", play_pad, pipeline)
        for caps in (AUDIO, VIDEO):
            direction = GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY
            peer.emit("add-transceiver", direction, Gst.Caps.from_string(caps)).set_property("do-nack", True)
    return pipeline, peer


def negotiate(peer, url):
    """Offers, takes the answer; the session's address."""
    ask(peer, "set-local-description", ask(peer, "create-offer", None, "offer"))
    gathered = threading.Event()

    def look(*_):
        if peer.get_property("ice-gathering-state") == GstWebRTC.WebRTCICEGatheringState.COMPLETE:
            gathered.set()

    peer.connect("notify::ice-gathering-state", look)
    look()
    gathered.wait(10)
    offer = peer.get_property("local-description").sdp.as_text()
    request = urllib.request.Request(url, offer.encode(), {"Content-Type": "application/sdp"}, method="POST")
    with urllib.request.urlopen(request, timeout=10) as response:
        text, location = response.read(), response.headers["Location"]
    _, answer = GstSdp.SDPMessage.new()
    GstSdp.sdp_message_parse_buffer(text, answer)
    kind = GstWebRTC.WebRTCSDPType.ANSWER
    ask(peer, "set-remote-description", GstWebRTC.WebRTCSessionDescription.new(kind, answer))
    return urllib.parse.urljoin(url, location)


def main(purpose, url):
    pipeline, peer = make_pipeline(purpose)
    ready = threading.Event()
    peer.connect("on-negotiation-needed", lambda *_: ready.set())
    threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
    pipeline.set_state(Gst.State.PLAYING)
    ready.wait(10)
    session = negotiate(peer, url)
    sys.stdin.read()
    with urllib.request.urlopen(urllib.request.Request(session, method="DELETE"), timeout=10) as response:
        seen["deleted"] = response.status
    print(json.dumps(seen), flush=True)


# Whatever happens, no test's process stays.
threading.Timer(90, lambda: os._exit(1)).start()
main(sys.argv[1], sys.argv[2])
os._exit(0)
