import ChannelServer
import Foundation
import MediaEngine
import SyntheticMedia

/// A server, a host and a viewer in one process; exits with 0 if the viewer has seen the host.
@main
enum Show {
  static func main() throws {
    let server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
    try server.start()
    let url = "ws://127.0.0.1:\(server.boundHTTPPort)"
    let host = RTCEngine(configuration: RTCEngineConfiguration(server: url, videoSource: TestPatternSource()))
    let viewer = RTCEngine(configuration: RTCEngineConfiguration(server: url))
    host.joinChannel(token: nil, channelID: "show", uid: 1, options: ChannelMediaOptions(clientRoleType: .broadcaster))
    viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
    var frames = 0
    for _ in 0..<100 where frames == 0 {
      Thread.sleep(forTimeInterval: 0.1)
      frames = viewer.statistics()?.remote.first?.decodedVideoFrames ?? 0
    }
    viewer.destroy()
    host.destroy()
    server.stop()
    print(frames > 0 ? "The viewer has seen the host." : "Nothing was seen.")
    exit(frames > 0 ? 0 : 1)
  }
}
