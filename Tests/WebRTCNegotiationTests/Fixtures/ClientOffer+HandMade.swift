import WebRTCNegotiation

extension ClientOffer {
  /// In the shape of Safari: H.264 before VP8, candidates that hide the address.
  static let safariPublish = ClientOffer(
    "Safari, by hand", .publish,
    """
    v=0
    o=- 3013592403046212441 2 IN IP4 127.0.0.1
    s=-
    t=0 0
    a=group:BUNDLE 0 1
    a=extmap-allow-mixed
    a=msid-semantic: WMS 6937f626-e28c-45c3-a69e-f8100c790455
    m=audio 50123 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126
    c=IN IP4 0.0.0.0
    a=rtcp:9 IN IP4 0.0.0.0
    a=candidate:1 1 udp 2113937151 0e9f2a4a-6f0b-4c4b-b1f3-4e6d8b1f7a11.local 50123 typ host generation 0 network-cost 999
    a=ice-ufrag:5wyY
    a=ice-pwd:ajvC1o4yPqwdsrKdnUtbdfgI
    a=ice-options:trickle
    a=fingerprint:sha-256 83:EF:D6:95:00:B3:15:07:9B:27:BE:55:B1:F1:52:0C:73:7B:CD:51:1C:FD:1C:B9:94:6A:A6:AC:B5:DF:F2:F5
    a=setup:actpass
    a=mid:0
    a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
    a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
    a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
    a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid
    a=sendonly
    a=msid:6937f626-e28c-45c3-a69e-f8100c790455 a61c22a6-4a01-49e8-aca5-6002440a5ac8
    a=rtcp-mux
    a=rtcp-rsize
    a=rtpmap:111 opus/48000/2
    a=rtcp-fb:111 transport-cc
    a=fmtp:111 minptime=10;useinbandfec=1
    a=rtpmap:63 red/48000/2
    a=fmtp:63 111/111
    a=rtpmap:9 G722/8000
    a=rtpmap:0 PCMU/8000
    a=rtpmap:8 PCMA/8000
    a=rtpmap:13 CN/8000
    a=rtpmap:110 telephone-event/48000
    a=rtpmap:126 telephone-event/8000
    a=ssrc:1557912193 cname:KcyXxv6oIOJJo/ZR
    a=ssrc:1557912193 msid:6937f626-e28c-45c3-a69e-f8100c790455 a61c22a6-4a01-49e8-aca5-6002440a5ac8
    m=video 9 UDP/TLS/RTP/SAVPF 96 97 98 99 100 101
    c=IN IP4 0.0.0.0
    a=rtcp:9 IN IP4 0.0.0.0
    a=ice-ufrag:5wyY
    a=ice-pwd:ajvC1o4yPqwdsrKdnUtbdfgI
    a=ice-options:trickle
    a=fingerprint:sha-256 83:EF:D6:95:00:B3:15:07:9B:27:BE:55:B1:F1:52:0C:73:7B:CD:51:1C:FD:1C:B9:94:6A:A6:AC:B5:DF:F2:F5
    a=setup:actpass
    a=mid:1
    a=extmap:14 urn:ietf:params:rtp-hdrext:toffset
    a=extmap:13 urn:3gpp:video-orientation
    a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
    a=sendonly
    a=msid:6937f626-e28c-45c3-a69e-f8100c790455 0d7b6d30-66a2-4e32-97a9-1cbb05a3ba38
    a=rtcp-mux
    a=rtcp-rsize
    a=rtpmap:96 H264/90000
    a=rtcp-fb:96 goog-remb
    a=rtcp-fb:96 transport-cc
    a=rtcp-fb:96 ccm fir
    a=rtcp-fb:96 nack
    a=rtcp-fb:96 nack pli
    a=fmtp:96 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=640c1f
    a=rtpmap:97 rtx/90000
    a=fmtp:97 apt=96
    a=rtpmap:98 H264/90000
    a=fmtp:98 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
    a=rtpmap:99 rtx/90000
    a=fmtp:99 apt=98
    a=rtpmap:100 VP8/90000
    a=rtcp-fb:100 goog-remb
    a=rtcp-fb:100 transport-cc
    a=rtcp-fb:100 ccm fir
    a=rtcp-fb:100 nack
    a=rtcp-fb:100 nack pli
    a=rtpmap:101 rtx/90000
    a=fmtp:101 apt=100
    a=ssrc-group:FID 4146720541 1212451170
    a=ssrc:4146720541 cname:KcyXxv6oIOJJo/ZR
    a=ssrc:1212451170 cname:KcyXxv6oIOJJo/ZR
    """)

  /// In the shape of OBS with libdatachannel: fingerprint of the session, several groups, H.264 only, no rtcp-rsize.
  static let obsPublish = ClientOffer(
    "OBS, by hand", .publish,
    """
    v=0
    o=rtc 1815276041 0 IN IP4 127.0.0.1
    s=-
    t=0 0
    a=group:BUNDLE 0 1
    a=group:LS 0 1
    a=msid-semantic:WMS *
    a=ice-options:ice2,trickle
    a=fingerprint:sha-256 04:F8:05:4E:9D:B9:0A:F4:31:0C:A3:0E:2B:0A:74:58:5A:43:76:AB:5D:73:9E:75:DA:4F:0E:12:5D:2A:5B:0C
    m=audio 58763 UDP/TLS/RTP/SAVPF 111
    c=IN IP4 192.0.2.10
    a=mid:0
    a=sendonly
    a=ssrc:2906113250 cname:vrqFKGVVRbiOi8hK
    a=ssrc:2906113250 msid:1Ns3hZ0PCK3RZzMh 1Ns3hZ0PCK3RZzMh-audio
    a=msid:1Ns3hZ0PCK3RZzMh 1Ns3hZ0PCK3RZzMh-audio
    a=rtcp-mux
    a=rtpmap:111 opus/48000/2
    a=fmtp:111 minptime=10;maxaveragebitrate=96000;stereo=1;sprop-stereo=1;useinbandfec=1
    a=setup:actpass
    a=ice-ufrag:6NbS
    a=ice-pwd:0RMEo3vTQ7D2EWCzT3KXVV
    a=candidate:1 1 UDP 2122317823 192.0.2.10 58763 typ host
    a=end-of-candidates
    m=video 58763 UDP/TLS/RTP/SAVPF 96
    c=IN IP4 192.0.2.10
    a=mid:1
    a=sendonly
    a=ssrc:2906113251 cname:vrqFKGVVRbiOi8hK
    a=ssrc:2906113251 msid:1Ns3hZ0PCK3RZzMh 1Ns3hZ0PCK3RZzMh-video
    a=msid:1Ns3hZ0PCK3RZzMh 1Ns3hZ0PCK3RZzMh-video
    a=rtcp-mux
    a=rtpmap:96 H264/90000
    a=rtcp-fb:96 nack
    a=rtcp-fb:96 nack pli
    a=rtcp-fb:96 goog-remb
    a=fmtp:96 profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1
    a=setup:actpass
    a=ice-ufrag:6NbS
    a=ice-pwd:0RMEo3vTQ7D2EWCzT3KXVV
    """)

  /// In the shape of ffmpeg with `-whip_flags dtls_active` and sound only, whose group names a section that is not there.
  static let ffmpegPublish = ClientOffer(
    "ffmpeg, by hand", .publish,
    """
    v=0
    o=FFmpeg 4489045141692799359 2 IN IP4 127.0.0.1
    s=FFmpegPublishSession
    t=0 0
    a=group:BUNDLE 0 1
    a=extmap-allow-mixed
    a=msid-semantic: WMS
    m=audio 9 UDP/TLS/RTP/SAVPF 111
    c=IN IP4 0.0.0.0
    a=ice-ufrag:18ac5a4d
    a=ice-pwd:8ef5bbb64bdc31f6dcc3c1c7dc5f1d02
    a=fingerprint:sha-256 0E:38:32:65:9B:37:4B:A1:19:5B:6B:09:1D:4C:3D:BD:0D:9C:1B:18:9E:C6:73:D4:2F:0E:26:C6:C9:2E:D1:8D
    a=setup:active
    a=mid:0
    a=sendonly
    a=msid:FFmpeg audio
    a=rtcp-mux
    a=rtpmap:111 opus/48000/2
    a=ssrc:1409163853 cname:FFmpeg
    a=ssrc:1409163853 msid:FFmpeg audio
    """)
}
