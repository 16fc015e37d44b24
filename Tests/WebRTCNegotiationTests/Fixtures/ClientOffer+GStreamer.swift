import WebRTCNegotiation

extension ClientOffer {
  /// GStreamer 1.22 that publishes with max-bundle.
  static let gstreamerPublish = ClientOffer(
    "GStreamer 1.22 that publishes with max-bundle", .publish,
    """
    v=0
    o=- 7530853549154423151 0 IN IP4 0.0.0.0
    s=-
    t=0 0
    a=ice-options:trickle
    a=group:BUNDLE video0 audio1
    m=video 9 UDP/TLS/RTP/SAVPF 96
    c=IN IP4 0.0.0.0
    a=setup:actpass
    a=ice-ufrag:E5ta0oKEBPGu6XLAvXQDuzeM/5IH87PD
    a=ice-pwd:1rQHN/YKkefrj+0wGaS5y8DinFz15KfO
    a=rtcp-mux
    a=rtcp-rsize
    a=sendrecv
    a=rtpmap:96 VP8/90000
    a=rtcp-fb:96 nack pli
    a=rtcp-fb:96 ccm fir
    a=rtcp-fb:96 transport-cc
    a=framerate:30
    a=ssrc:3496735694 msid:user721878587@host-b727d276 webrtctransceiver0
    a=ssrc:3496735694 cname:user721878587@host-b727d276
    a=mid:video0
    a=fingerprint:sha-256 69:B3:5A:36:97:F8:50:6D:A7:64:2C:2D:59:11:DA:83:0C:8E:8B:FC:8C:43:4A:78:99:00:AE:CD:F1:42:D5:57
    a=rtcp-mux-only
    m=audio 0 UDP/TLS/RTP/SAVPF 97
    c=IN IP4 0.0.0.0
    a=setup:actpass
    a=ice-ufrag:E5ta0oKEBPGu6XLAvXQDuzeM/5IH87PD
    a=ice-pwd:1rQHN/YKkefrj+0wGaS5y8DinFz15KfO
    a=bundle-only
    a=rtcp-mux
    a=rtcp-rsize
    a=sendrecv
    a=rtpmap:97 OPUS/48000/2
    a=rtcp-fb:97 transport-cc
    a=fmtp:97 sprop-stereo=0;sprop-maxcapturerate=48000
    a=ssrc:1788184683 msid:user721878587@host-b727d276 webrtctransceiver1
    a=ssrc:1788184683 cname:user721878587@host-b727d276
    a=mid:audio1
    a=fingerprint:sha-256 69:B3:5A:36:97:F8:50:6D:A7:64:2C:2D:59:11:DA:83:0C:8E:8B:FC:8C:43:4A:78:99:00:AE:CD:F1:42:D5:57
    a=rtcp-mux-only
    """)

  /// GStreamer 1.22 that publishes without a BUNDLE group.
  static let gstreamerUnbundled = ClientOffer(
    "GStreamer 1.22 that publishes without a BUNDLE group", .publish,
    """
    v=0
    o=- 6950481188403472397 0 IN IP4 0.0.0.0
    s=-
    t=0 0
    a=ice-options:trickle
    m=video 9 UDP/TLS/RTP/SAVPF 96
    c=IN IP4 0.0.0.0
    a=setup:actpass
    a=ice-ufrag:E/1UbSephF7Gp1M05v7bP7IREQnq8OS7
    a=ice-pwd:PhksEQtVsw1JD6s1t1w0cv0+TMoi4FN6
    a=rtcp-mux
    a=rtcp-rsize
    a=sendrecv
    a=rtpmap:96 VP8/90000
    a=rtcp-fb:96 nack pli
    a=rtcp-fb:96 ccm fir
    a=rtcp-fb:96 transport-cc
    a=framerate:30
    a=ssrc:3777493205 msid:user137075888@host-1f908c37 webrtctransceiver2
    a=ssrc:3777493205 cname:user137075888@host-1f908c37
    a=mid:video0
    a=fingerprint:sha-256 69:B3:5A:36:97:F8:50:6D:A7:64:2C:2D:59:11:DA:83:0C:8E:8B:FC:8C:43:4A:78:99:00:AE:CD:F1:42:D5:57
    a=rtcp-mux-only
    m=audio 9 UDP/TLS/RTP/SAVPF 97
    c=IN IP4 0.0.0.0
    a=setup:actpass
    a=ice-ufrag:sewA3+ba/ifF5We0QPuIs0gdF9Zc6AhY
    a=ice-pwd:v/oL62sNL3MQ1PMxnHp5lgzuj3NeDyx+
    a=rtcp-mux
    a=rtcp-rsize
    a=sendrecv
    a=rtpmap:97 OPUS/48000/2
    a=rtcp-fb:97 transport-cc
    a=fmtp:97 sprop-stereo=0;sprop-maxcapturerate=48000
    a=ssrc:507769307 msid:user137075888@host-1f908c37 webrtctransceiver3
    a=ssrc:507769307 cname:user137075888@host-1f908c37
    a=mid:audio1
    a=fingerprint:sha-256 69:B3:5A:36:97:F8:50:6D:A7:64:2C:2D:59:11:DA:83:0C:8E:8B:FC:8C:43:4A:78:99:00:AE:CD:F1:42:D5:57
    a=rtcp-mux-only
    """)

  /// GStreamer 1.22 that plays with max-bundle.
  static let gstreamerPlay = ClientOffer(
    "GStreamer 1.22 that plays with max-bundle", .play,
    """
    v=0
    o=- 7023504117610383736 0 IN IP4 0.0.0.0
    s=-
    t=0 0
    a=ice-options:trickle
    a=group:BUNDLE audio0 video1
    m=audio 9 UDP/TLS/RTP/SAVPF 97
    c=IN IP4 0.0.0.0
    a=setup:actpass
    a=ice-ufrag:YlUiw8dQBFVMgKH2wGtFGtTkMLf9lq3y
    a=ice-pwd:itCaH61gi1cJPROe+qTleDXGMRk8ifEp
    a=rtcp-mux
    a=rtcp-rsize
    a=recvonly
    a=rtpmap:97 OPUS/48000/2
    a=rtcp-fb:97 transport-cc
    a=mid:audio0
    a=fingerprint:sha-256 69:B3:5A:36:97:F8:50:6D:A7:64:2C:2D:59:11:DA:83:0C:8E:8B:FC:8C:43:4A:78:99:00:AE:CD:F1:42:D5:57
    a=rtcp-mux-only
    m=video 0 UDP/TLS/RTP/SAVPF 96
    c=IN IP4 0.0.0.0
    a=setup:actpass
    a=ice-ufrag:YlUiw8dQBFVMgKH2wGtFGtTkMLf9lq3y
    a=ice-pwd:itCaH61gi1cJPROe+qTleDXGMRk8ifEp
    a=bundle-only
    a=rtcp-mux
    a=rtcp-rsize
    a=recvonly
    a=rtpmap:96 VP8/90000
    a=rtcp-fb:96 nack pli
    a=rtcp-fb:96 ccm fir
    a=rtcp-fb:96 transport-cc
    a=mid:video1
    a=fingerprint:sha-256 69:B3:5A:36:97:F8:50:6D:A7:64:2C:2D:59:11:DA:83:0C:8E:8B:FC:8C:43:4A:78:99:00:AE:CD:F1:42:D5:57
    a=rtcp-mux-only
    """)
}
