import CallAPI
import ControlWire
import MediaBase
import SDPWire
import SecureChannel
import WebRTCNegotiation
import WebSocketIO

extension FuzzedParser {
  /// Reads a text as each kind of control message; what can be read must be writable and come back.
  static func readControlMessage(_ text: String) {
    reread(ChannelRequest.self, text)
    reread(SignalRequest.self, text)
    reread(SignalResponse.self, text)
    if case .joined(let joined) = reread(ChannelResponse.self, text) {
      for candidate in joined.candidates { _ = TransportAddress(host: candidate.host, port: candidate.port) }
      _ = SRTPKeyMaterial(hexadecimal: joined.srtp.clientKey)
    }
  }

  @discardableResult
  private static func reread<Message: Codable & Equatable>(_ type: Message.Type, _ text: String) -> Message? {
    let message: Message
    do throws(ControlMessageError) {
      message = try ControlMessageCoding.decode(type, from: text)
    } catch {
      precondition(error.description.utf8.count < 1_000)
      return nil
    }
    guard let copy = try? ControlMessageCoding.encode(message) else { fatalError("it cannot be written") }
    precondition((try? ControlMessageCoding.decode(type, from: copy)) == message, "it does not come back")
    return message
  }

  /// Reads a session description and all that is looked for in it; it must come back from what is written of it.
  static func readSessionDescription(_ text: String) {
    guard let description = try? SessionDescription(parsing: text) else { return }
    for medium in description.media {
      _ = (medium.codecs, medium.headerExtensions, medium.sources, medium.simulcastSendLayers)
      _ = (description.fingerprints(of: medium), medium.sourceGroups("FID"), description.iceCredentials(of: medium))
    }
    precondition((try? SessionDescription(parsing: description.text)) == description, "it does not come back")
  }

  /// Reads an offer; what can be understood must have an answer that can be read, with a section for each of the offer's.
  static func readOffer(_ text: String) {
    for purpose in [WebRTCOffer.Purpose.publish, .play] {
      let offer: WebRTCOffer
      do throws(WebRTCOfferError) {
        offer = try WebRTCOffer(parsing: text, purpose: purpose, support: .transportCC)
      } catch {
        precondition(error.description.utf8.count < 1_000)
        continue
      }
      let server = WebRTCAnswerParameters(
        serverICE: offer.ice, candidates: [CandidateAddress(host: "192.0.2.1", port: 1)],
        fingerprint: offer.fingerprint, receiveSSRCs: offer.sendSSRCs, cname: "server", sessionID: 1)
      let answer = try? SessionDescription(parsing: offer.answer(server).text)
      precondition(answer?.media.map(\.kind) == offer.description.media.map(\.kind), "the answer does not fit")
      precondition(answer?.media.contains { $0.port != 0 } == true, "nothing is accepted")
    }
  }

  /// Reads a message of a call; what can be read must be writable and readable again.
  static func readCallMessage(_ text: String) {
    guard let message = try? CallMessage(text: text) else { return }
    precondition((try? CallMessage(text: message.text)) != nil, "it does not come back")
  }
}
