import WebRTCNegotiation

extension ClientOffer {
  /// Firefox 153 with bundlePolicy max-bundle.
  static let firefoxPublish = ClientOffer(
    "Firefox 153 with bundlePolicy max-bundle", .publish,
    """
    v=0
    o=mozilla...THIS_IS_SDPARTA-99.0 4589994866403343965 0 IN IP4 0.0.0.0
    s=-
    t=0 0
    a=sendrecv
    a=fingerprint:sha-256 AB:94:14:FB:5B:8A:20:CC:5A:FC:C2:97:3B:19:65:BD:1E:28:4E:67:05:7F:55:3A:65:17:40:54:11:CA:D5:2F
    a=group:BUNDLE 0 1
    a=ice-options:trickle
    a=msid-semantic:WMS *
    m=audio 9 UDP/TLS/RTP/SAVPF 109 9 0 8 101
    c=IN IP4 0.0.0.0
    a=sendonly
    a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
    a=extmap:2/recvonly urn:ietf:params:rtp-hdrext:csrc-audio-level
    a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid
    a=extmap:7 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
    a=extmap-allow-mixed
    a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1
    a=fmtp:101 0-15
    a=ice-pwd:45fef635e568cc30e06b7c21019f0241
    a=ice-ufrag:716b32bf
    a=mid:0
    a=msid:{b8a2c4b3-06e3-40cb-9bdd-926272b6844c} {8ff6fc16-ac69-4c87-a776-1862ec4c57b2}
    a=rtcp-fb:109 transport-cc
    a=rtcp-fb:9 transport-cc
    a=rtcp-fb:0 transport-cc
    a=rtcp-fb:8 transport-cc
    a=rtcp-mux
    a=rtpmap:109 opus/48000/2
    a=rtpmap:9 G722/8000/1
    a=rtpmap:0 PCMU/8000
    a=rtpmap:8 PCMA/8000
    a=rtpmap:101 telephone-event/8000
    a=setup:actpass
    a=ssrc:2098764964 cname:{879c72a1-a2fd-48c8-8efa-e9aea5faa9cb}
    m=video 0 UDP/TLS/RTP/SAVPF 120 124 121 125 99 100 123 122 119
    c=IN IP4 0.0.0.0
    a=bundle-only
    a=sendonly
    a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid
    a=extmap:4 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
    a=extmap:5 urn:ietf:params:rtp-hdrext:toffset
    a=extmap:6/recvonly http://www.webrtc.org/experiments/rtp-hdrext/playout-delay
    a=extmap:7 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
    a=extmap-allow-mixed
    a=fmtp:120 max-fs=12288;max-fr=60
    a=fmtp:124 apt=120
    a=fmtp:121 max-fs=12288;max-fr=60
    a=fmtp:125 apt=121
    a=fmtp:100 apt=99
    a=fmtp:119 apt=122
    a=ice-pwd:45fef635e568cc30e06b7c21019f0241
    a=ice-ufrag:716b32bf
    a=mid:1
    a=msid:{b8a2c4b3-06e3-40cb-9bdd-926272b6844c} {6acb4b90-41cf-4a4b-ba1f-1b90effab1d7}
    a=rtcp-fb:120 nack
    a=rtcp-fb:120 nack pli
    a=rtcp-fb:120 ccm fir
    a=rtcp-fb:120 goog-remb
    a=rtcp-fb:120 transport-cc
    a=rtcp-fb:121 nack
    a=rtcp-fb:121 nack pli
    a=rtcp-fb:121 ccm fir
    a=rtcp-fb:121 goog-remb
    a=rtcp-fb:121 transport-cc
    a=rtcp-fb:99 nack
    a=rtcp-fb:99 nack pli
    a=rtcp-fb:99 ccm fir
    a=rtcp-fb:99 goog-remb
    a=rtcp-fb:99 transport-cc
    a=rtcp-fb:123 nack
    a=rtcp-fb:123 nack pli
    a=rtcp-fb:123 ccm fir
    a=rtcp-fb:123 goog-remb
    a=rtcp-fb:123 transport-cc
    a=rtcp-fb:122 nack
    a=rtcp-fb:122 nack pli
    a=rtcp-fb:122 ccm fir
    a=rtcp-fb:122 goog-remb
    a=rtcp-fb:122 transport-cc
    a=rtcp-mux
    a=rtcp-rsize
    a=rtpmap:120 VP8/90000
    a=rtpmap:124 rtx/90000
    a=rtpmap:121 VP9/90000
    a=rtpmap:125 rtx/90000
    a=rtpmap:99 AV1/90000
    a=rtpmap:100 rtx/90000
    a=rtpmap:123 ulpfec/90000
    a=rtpmap:122 red/90000
    a=rtpmap:119 rtx/90000
    a=setup:actpass
    a=ssrc:1229316864 cname:{879c72a1-a2fd-48c8-8efa-e9aea5faa9cb}
    a=ssrc:3412377804 cname:{879c72a1-a2fd-48c8-8efa-e9aea5faa9cb}
    a=ssrc-group:FID 1229316864 3412377804
    """)
}
