import WebRTCNegotiation

extension ClientOffer {
  /// Firefox 153 with three layers.
  static let firefoxSimulcast = ClientOffer(
    "Firefox 153 with three layers", .publish,
    """
    v=0
    o=mozilla...THIS_IS_SDPARTA-99.0 1878986111671911498 0 IN IP4 0.0.0.0
    s=-
    t=0 0
    a=sendrecv
    a=fingerprint:sha-256 E6:0F:37:A9:34:A2:5D:D5:B3:22:FC:3A:E3:AB:E4:95:C6:64:89:0E:73:CA:08:76:34:D0:3E:15:FA:97:96:EE
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
    a=ice-pwd:c152191963493fd69e6ba54260f142c4
    a=ice-ufrag:ac2a79d7
    a=mid:0
    a=msid:{b8a2c4b3-06e3-40cb-9bdd-926272b6844c} {2c2d2542-1255-4329-b810-03c40f8274b1}
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
    a=ssrc:3792580611 cname:{01b89caf-c400-44cc-a30a-9c7d31521551}
    m=video 9 UDP/TLS/RTP/SAVPF 120 124 121 125 99 100 123 122 119
    c=IN IP4 0.0.0.0
    a=sendonly
    a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid
    a=extmap:4 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
    a=extmap:5 urn:ietf:params:rtp-hdrext:toffset
    a=extmap:6/recvonly http://www.webrtc.org/experiments/rtp-hdrext/playout-delay
    a=extmap:7 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
    a=extmap:8/sendonly https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension
    a=extmap:9/sendonly urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id
    a=extmap:10/sendonly urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id
    a=extmap-allow-mixed
    a=fmtp:120 max-fs=12288;max-fr=60
    a=fmtp:124 apt=120
    a=fmtp:121 max-fs=12288;max-fr=60
    a=fmtp:125 apt=121
    a=fmtp:100 apt=99
    a=fmtp:119 apt=122
    a=ice-pwd:c152191963493fd69e6ba54260f142c4
    a=ice-ufrag:ac2a79d7
    a=mid:1
    a=msid:{b8a2c4b3-06e3-40cb-9bdd-926272b6844c} {6372d6da-bda0-4a5c-9419-b663013a6bad}
    a=rid:q send
    a=rid:h send
    a=rid:f send
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
    a=simulcast:send q;h;f
    a=ssrc:3557778879 cname:{01b89caf-c400-44cc-a30a-9c7d31521551}
    a=ssrc:735518243 cname:{01b89caf-c400-44cc-a30a-9c7d31521551}
    a=ssrc:1398545543 cname:{01b89caf-c400-44cc-a30a-9c7d31521551}
    a=ssrc:3529047636 cname:{01b89caf-c400-44cc-a30a-9c7d31521551}
    a=ssrc:2512181702 cname:{01b89caf-c400-44cc-a30a-9c7d31521551}
    a=ssrc:2810332664 cname:{01b89caf-c400-44cc-a30a-9c7d31521551}
    a=ssrc-group:FID 3557778879 735518243
    a=ssrc-group:FID 1398545543 3529047636
    a=ssrc-group:FID 2512181702 2810332664
    """)
}
