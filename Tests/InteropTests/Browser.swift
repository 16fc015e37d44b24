import Foundation
import Synchronization
import TestSupport
import WebSocketIO

/// Headless Chromium with a fake camera and microphone, led by the DevTools protocol.
final class Browser: Sendable {
  private let process = Process()
  private let directory: String
  private let devTools: DevTools

  init() async throws {
    directory = NSTemporaryDirectory() + "greenroom-browser-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/chromium")
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--remote-debugging-port=0", "--remote-allow-origins=*", "--user-data-dir=\(directory)",
      "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
      "--autoplay-policy=no-user-gesture-required", "--window-size=1000,760", "about:blank",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The browser writes its port and the path of its socket into this file.
    let file = directory + "/DevToolsActivePort"
    guard await eventually({ (try? String(contentsOfFile: file, encoding: .utf8))?.contains("\n/") == true }),
      let lines = try? String(contentsOfFile: file, encoding: .utf8).split(separator: "\n"), lines.count == 2
    else {
      process.terminate()
      throw DevTools.Failure(message: "Chromium does not start.")
    }
    devTools = try await DevTools(url: "ws://127.0.0.1:\(lines[0])\(lines[1])")
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Opens a page of its own.
  func open(_ url: String) async throws -> Page {
    let target = try await devTools.call("Target.createTarget", ["url": "about:blank"])
    let targetID = target["targetId"] as? String ?? ""
    let attached = try await devTools.call("Target.attachToTarget", ["targetId": targetID, "flatten": true])
    let page = Page(devTools: devTools, session: attached["sessionId"] as? String ?? "", targetID: targetID)
    try await page.go(to: url)
    return page
  }
}

/// One page of a browser.
final class Page: Sendable {
  private let devTools: DevTools
  private let session: String
  private let targetID: String

  init(devTools: DevTools, session: String, targetID: String) {
    self.devTools = devTools
    self.session = session
    self.targetID = targetID
  }

  func go(to url: String) async throws {
    _ = try await devTools.call("Page.navigate", ["url": url], session: session)
    for _ in 0..<2_000 {
      if try await holds("location.href != 'about:blank' && document.readyState == 'complete'") { return }
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    throw DevTools.Failure(message: "\(url) is not loaded.")
  }

  /// The value of an expression, awaited if it is a promise.
  @discardableResult func evaluate(_ expression: String) async throws -> Any? {
    let answer = try await devTools.call(
      "Runtime.evaluate",
      ["expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true], session: session)
    if let problem = answer["exceptionDetails"] as? [String: Any] {
      throw DevTools.Failure(message: "\((problem["exception"] as? [String: Any])?["description"] ?? problem)")
    }
    return (answer["result"] as? [String: Any])?["value"]
  }

  /// Whether an expression is true now. A page that is just being left has nothing to say.
  private func holds(_ expression: String) async throws -> Bool {
    do {
      return try await evaluate(expression) as? Bool == true
    } catch let failure as DevTools.Failure where failure.message.contains("Inspected target navigated") {
      return false
    }
  }

  /// Loads the page again; it is another one when this returns.
  func reload() async throws {
    try await evaluate("globalThis.isBeingLeft = true; setTimeout(() => location.reload())")
    guard try await eventually("!globalThis.isBeingLeft && document.readyState == 'complete'") else {
      throw DevTools.Failure(message: "The page is not loaded again.")
    }
  }

  /// Looks again and again until an expression is true; whether it ever was.
  func eventually(_ expression: String, seconds: Int = 20) async throws -> Bool {
    for _ in 0..<seconds * 100 {
      if try await holds(expression) { return true }
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    return false
  }

  /// Makes the screen that of a phone or another device.
  func resize(width: Int, height: Int, isMobile: Bool = true) async throws {
    _ = try await devTools.call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": isMobile ? 2 : 1, "mobile": isMobile], session: session)
  }

  /// What is on the screen, as PNG.
  func screenshot() async throws -> Data {
    let answer = try await devTools.call("Page.captureScreenshot", ["format": "png"], session: session)
    return Data(base64Encoded: answer["data"] as? String ?? "") ?? Data()
  }

  /// Closes the tab as a user does.
  func close() async throws { _ = try await devTools.call("Target.closeTarget", ["targetId": targetID]) }
}

/// The only page of a browser, which runs as long.
struct LonePage {
  private let browser: Browser
  let page: Page

  init(_ url: String) async throws {
    browser = try await Browser()
    page = try await browser.open(url)
  }
}
