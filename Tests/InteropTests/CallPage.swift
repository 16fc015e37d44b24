import Foundation

/// The call panel of the server's page in Chromium, used as a person uses it. The camera is a canvas with a burnt-in clock.
struct CallPage {
  let page: Page
  private let browser: Browser

  /// Opens the page and goes online as `uid`.
  ///
  /// - Parameters:
  ///   - delay: how long texts to this page take, in milliseconds.
  ///   - encrypts: whether calls must be encrypted between the ends.
  ///   - token: what the page has to show to the server.
  init(
    _ browser: Browser, at address: String, uid: UInt, delay: Int = 0, encrypts: Bool = false, token: String = ""
  ) async throws {
    self.browser = browser
    page = try await browser.open("http://\(address)/?uid=\(uid)" + (encrypts ? "&e2e" : ""))
    try await page.evaluate(FrameClockScript.text)
    try await page.evaluate(
      """
      globalThis.$ = (id) => document.getElementById(id)
      globalThis.WebSocket = class extends WebSocket {
        set onmessage(take) { super.onmessage = (event) => setTimeout(() => take(event), \(delay)) }
      }
      globalThis.captureForCall = async (isVideo) => {
        const stream = isVideo ? clockStream(640, 360) : new MediaStream()
        const microphone = await navigator.mediaDevices.getUserMedia({ audio: true })
        stream.addTrack(microphone.getAudioTracks()[0])
        return stream
      }
      $('access-token').value = '\(token)'
      $('call-login').requestSubmit()
      """)
    guard try await says("Others can call you at \(uid).") else { throw DevTools.Failure(message: "not online") }
  }

  /// Whether the status line comes to say this.
  func says(_ text: String) async throws -> Bool {
    if try await page.eventually("$('call-status').textContent == '\(text)'") { return true }
    print("The page says:", try await status())
    return false
  }

  /// What both users can compare; `nil` unless it is shown.
  func digits() async throws -> String? {
    let digits = "$('call-digits').hidden ? null : document.querySelector('#call-digits output').textContent"
    return try await page.evaluate(digits) as? String
  }

  func status() async throws -> String { try await page.evaluate("$('call-status').textContent") as? String ?? "" }

  func call(_ uid: UInt, audioOnly: Bool = false) async throws {
    try await page.evaluate(
      """
      $('call-peer').value = \(uid)
      document.querySelector('#call-form button[value=\(audioOnly ? "audio" : "video")]').click()
      """)
  }

  func accept() async throws { try await page.evaluate("$('call-accept').click()") }
  func reject() async throws { try await page.evaluate("$('call-reject').click()") }
  /// Cancels while it rings.
  func hangUp() async throws { try await page.evaluate("$('call-hangup').click()") }

  /// Whether the other side is shown, unmuted, with a clock that goes on.
  func seesClock() async throws -> Bool {
    let isShown = "!$('call-screen').hidden && !$('call-screen').muted"
    guard try await page.eventually("\(isShown) && (readClock($('call-screen')) ?? 0) > 0") else { return false }
    let first = try await page.evaluate("readClock($('call-screen'))") as? Double ?? 0
    return try await page.eventually("(readClock($('call-screen')) ?? 0) > \(first + 300_000)")
  }

  /// Whether something loud comes from the other side.
  func hears() async throws -> Bool {
    try await page.evaluate(
      """
      globalThis.ear = new AudioContext().createAnalyser()
      ear.context.createMediaStreamSource($('call-screen').srcObject).connect(ear)
      true
      """)
    return try await page.eventually(
      """
      (() => {
        const samples = new Float32Array(ear.fftSize)
        ear.getFloatTimeDomainData(samples)
        return !$('call-screen').muted && samples.some((sample) => Math.abs(sample) > 0.01)
      })()
      """)
  }

  /// Whether nothing of a call is seen or heard any longer, and a call could be made again.
  func isQuiet() async throws -> Bool {
    try await page.eventually(
      """
      $('call-screen').srcObject == null && $('call-screen').hidden && $('call-own').srcObject == null
        && !$('call-form').hidden && $('call-hangup').hidden && $('call-ringing').hidden
      """)
  }
}
