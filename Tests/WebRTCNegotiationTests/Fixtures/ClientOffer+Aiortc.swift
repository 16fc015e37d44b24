import WebRTCNegotiation

extension ClientOffer {
  /// aiortc 1.16 that publishes.
  static let aiortcPublish = ClientOffer(
    "aiortc 1.16 that publishes", .publish,
    """
    v=0
    o=- 4005138927 4005138927 IN IP4 0.0.0.0
    s=-
    t=0 0
    a=group:BUNDLE 0 1
    a=msid-semantic:WMS *
    m=audio 51783 UDP/TLS/RTP/SAVPF 96 9 0 8
    c=IN IP4 192.0.2.10
    a=sendonly
    a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid
    a=extmap:2 urn:ietf:params:rtp-hdrext:ssrc-audio-level
    a=mid:0
    a=msid:246a4724-0fec-46c6-a269-19353e597617 c4e27eba-05a5-4316-aab9-e1545571fea3
    a=rtcp:9 IN IP4 0.0.0.0
    a=rtcp-mux
    a=ssrc:1236589967 cname:6d91fa01-6622-4405-a042-cf9669789d3d
    a=rtpmap:96 opus/48000/2
    a=rtpmap:9 G722/8000
    a=rtpmap:0 PCMU/8000
    a=rtpmap:8 PCMA/8000
    a=candidate:f957a2332b1715da3b0ef8ba684454eb 1 udp 2130706431 192.0.2.10 51783 typ host
    a=candidate:d0bcf3d9c29a2bc887618212a1623bfa 1 udp 2130706431 2001:db8::10 40608 typ host
    a=end-of-candidates
    a=ice-ufrag:laaw
    a=ice-pwd:6HWud6jioKRXYVVK4sSzv5
    a=fingerprint:sha-256 61:E7:37:63:BF:F1:39:F5:03:EB:B0:5C:32:73:24:D6:AA:F2:EB:3C:E1:BF:BE:49:A5:FD:45:3D:3D:F2:69:62
    a=fingerprint:sha-384 F5:45:85:F2:B4:B9:11:10:C2:F6:87:B3:CD:DC:F3:DB:D4:96:1C:32:2F:F8:96:7D:4A:47:3D:42:CB:AF:5A:C9:41:73:0C:74:1E:CE:E4:58:46:1C:2E:99:0B:B4:DD:49
    a=fingerprint:sha-512 FE:44:16:AC:DE:D7:91:51:61:57:3E:77:3A:B8:AF:C8:AF:55:29:33:54:48:F4:65:FA:D5:51:7E:75:B3:37:80:08:73:B6:AF:53:14:7B:09:8F:FB:59:7E:24:F2:0A:54:F9:1F:05:D7:67:D3:A2:75:8D:15:3F:F2:4E:07:34:BE
    a=setup:actpass
    m=video 39555 UDP/TLS/RTP/SAVPF 97 98 99 100 101 102
    c=IN IP4 192.0.2.10
    a=sendonly
    a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid
    a=extmap:3 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
    a=mid:1
    a=msid:246a4724-0fec-46c6-a269-19353e597617 04a61872-a56c-4353-8142-fe27134985fe
    a=rtcp:9 IN IP4 0.0.0.0
    a=rtcp-mux
    a=ssrc-group:FID 3838756960 1414737914
    a=ssrc:3838756960 cname:6d91fa01-6622-4405-a042-cf9669789d3d
    a=ssrc:1414737914 cname:6d91fa01-6622-4405-a042-cf9669789d3d
    a=rtpmap:97 VP8/90000
    a=rtcp-fb:97 nack
    a=rtcp-fb:97 nack pli
    a=rtcp-fb:97 goog-remb
    a=rtpmap:98 rtx/90000
    a=fmtp:98 apt=97
    a=rtpmap:99 H264/90000
    a=rtcp-fb:99 nack
    a=rtcp-fb:99 nack pli
    a=rtcp-fb:99 goog-remb
    a=fmtp:99 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f
    a=rtpmap:100 rtx/90000
    a=fmtp:100 apt=99
    a=rtpmap:101 H264/90000
    a=rtcp-fb:101 nack
    a=rtcp-fb:101 nack pli
    a=rtcp-fb:101 goog-remb
    a=fmtp:101 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
    a=rtpmap:102 rtx/90000
    a=fmtp:102 apt=101
    a=candidate:f957a2332b1715da3b0ef8ba684454eb 1 udp 2130706431 192.0.2.10 39555 typ host
    a=candidate:d0bcf3d9c29a2bc887618212a1623bfa 1 udp 2130706431 2001:db8::10 53734 typ host
    a=end-of-candidates
    a=ice-ufrag:laaw
    a=ice-pwd:6HWud6jioKRXYVVK4sSzv5
    a=fingerprint:sha-256 61:E7:37:63:BF:F1:39:F5:03:EB:B0:5C:32:73:24:D6:AA:F2:EB:3C:E1:BF:BE:49:A5:FD:45:3D:3D:F2:69:62
    a=fingerprint:sha-384 F5:45:85:F2:B4:B9:11:10:C2:F6:87:B3:CD:DC:F3:DB:D4:96:1C:32:2F:F8:96:7D:4A:47:3D:42:CB:AF:5A:C9:41:73:0C:74:1E:CE:E4:58:46:1C:2E:99:0B:B4:DD:49
    a=fingerprint:sha-512 FE:44:16:AC:DE:D7:91:51:61:57:3E:77:3A:B8:AF:C8:AF:55:29:33:54:48:F4:65:FA:D5:51:7E:75:B3:37:80:08:73:B6:AF:53:14:7B:09:8F:FB:59:7E:24:F2:0A:54:F9:1F:05:D7:67:D3:A2:75:8D:15:3F:F2:4E:07:34:BE
    a=setup:actpass
    """)

  /// aiortc 1.16 that plays.
  static let aiortcPlay = ClientOffer(
    "aiortc 1.16 that plays", .play,
    """
    v=0
    o=- 4005138927 4005138927 IN IP4 0.0.0.0
    s=-
    t=0 0
    a=group:BUNDLE 0 1
    a=msid-semantic:WMS *
    m=audio 35287 UDP/TLS/RTP/SAVPF 96 9 0 8
    c=IN IP4 192.0.2.10
    a=recvonly
    a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid
    a=extmap:2 urn:ietf:params:rtp-hdrext:ssrc-audio-level
    a=mid:0
    a=msid:42ab7be8-57c3-44d0-af4a-bd39d162df03 9ea0926d-be6e-4749-811d-ff12d0072fb6
    a=rtcp:9 IN IP4 0.0.0.0
    a=rtcp-mux
    a=ssrc:1697086784 cname:e9d219fa-76ca-4578-a367-b53623fc2a84
    a=rtpmap:96 opus/48000/2
    a=rtpmap:9 G722/8000
    a=rtpmap:0 PCMU/8000
    a=rtpmap:8 PCMA/8000
    a=candidate:f957a2332b1715da3b0ef8ba684454eb 1 udp 2130706431 192.0.2.10 35287 typ host
    a=candidate:d0bcf3d9c29a2bc887618212a1623bfa 1 udp 2130706431 2001:db8::10 52923 typ host
    a=end-of-candidates
    a=ice-ufrag:Xsae
    a=ice-pwd:prfyrMtQILS4g3JYJYQNHB
    a=fingerprint:sha-256 67:38:AC:A3:A1:0C:3D:25:1D:9C:EC:38:8E:9C:59:DE:AB:E5:28:A7:6C:EE:BE:DB:95:FF:59:B3:37:C0:C6:4F
    a=fingerprint:sha-384 8A:F2:BB:27:8C:2B:17:B1:63:77:1B:BC:B7:B0:80:50:62:56:53:CA:45:D1:9B:AA:B2:36:69:66:16:9B:79:EA:15:CC:0F:AE:2A:D4:1F:D9:72:78:94:A0:AB:66:9D:AB
    a=fingerprint:sha-512 DC:7F:2C:EA:03:6D:25:77:4F:8B:06:07:DD:36:D0:40:B6:07:50:3B:52:35:D1:2E:10:04:2C:FE:BA:04:AF:9B:1D:B9:0A:ED:CA:3F:87:87:2B:AE:F8:C9:E6:04:1C:24:53:14:0C:A4:2E:AE:CC:68:73:6C:57:73:EA:83:AC:A0
    a=setup:actpass
    m=video 54414 UDP/TLS/RTP/SAVPF 97 98 99 100 101 102
    c=IN IP4 192.0.2.10
    a=recvonly
    a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid
    a=extmap:3 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
    a=mid:1
    a=msid:42ab7be8-57c3-44d0-af4a-bd39d162df03 1bbf3e90-7118-49ef-8913-0ef5214dc266
    a=rtcp:9 IN IP4 0.0.0.0
    a=rtcp-mux
    a=ssrc-group:FID 935188014 460715934
    a=ssrc:935188014 cname:e9d219fa-76ca-4578-a367-b53623fc2a84
    a=ssrc:460715934 cname:e9d219fa-76ca-4578-a367-b53623fc2a84
    a=rtpmap:97 VP8/90000
    a=rtcp-fb:97 nack
    a=rtcp-fb:97 nack pli
    a=rtcp-fb:97 goog-remb
    a=rtpmap:98 rtx/90000
    a=fmtp:98 apt=97
    a=rtpmap:99 H264/90000
    a=rtcp-fb:99 nack
    a=rtcp-fb:99 nack pli
    a=rtcp-fb:99 goog-remb
    a=fmtp:99 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f
    a=rtpmap:100 rtx/90000
    a=fmtp:100 apt=99
    a=rtpmap:101 H264/90000
    a=rtcp-fb:101 nack
    a=rtcp-fb:101 nack pli
    a=rtcp-fb:101 goog-remb
    a=fmtp:101 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
    a=rtpmap:102 rtx/90000
    a=fmtp:102 apt=101
    a=candidate:f957a2332b1715da3b0ef8ba684454eb 1 udp 2130706431 192.0.2.10 54414 typ host
    a=candidate:d0bcf3d9c29a2bc887618212a1623bfa 1 udp 2130706431 2001:db8::10 49426 typ host
    a=end-of-candidates
    a=ice-ufrag:Xsae
    a=ice-pwd:prfyrMtQILS4g3JYJYQNHB
    a=fingerprint:sha-256 67:38:AC:A3:A1:0C:3D:25:1D:9C:EC:38:8E:9C:59:DE:AB:E5:28:A7:6C:EE:BE:DB:95:FF:59:B3:37:C0:C6:4F
    a=fingerprint:sha-384 8A:F2:BB:27:8C:2B:17:B1:63:77:1B:BC:B7:B0:80:50:62:56:53:CA:45:D1:9B:AA:B2:36:69:66:16:9B:79:EA:15:CC:0F:AE:2A:D4:1F:D9:72:78:94:A0:AB:66:9D:AB
    a=fingerprint:sha-512 DC:7F:2C:EA:03:6D:25:77:4F:8B:06:07:DD:36:D0:40:B6:07:50:3B:52:35:D1:2E:10:04:2C:FE:BA:04:AF:9B:1D:B9:0A:ED:CA:3F:87:87:2B:AE:F8:C9:E6:04:1C:24:53:14:0C:A4:2E:AE:CC:68:73:6C:57:73:EA:83:AC:A0
    a=setup:actpass
    """)
}
