import Glibc
import OpenSSLTLS

/// A server's certificate with its key, read again when the files change: certificates are renewed while servers run.
final class TLSIdentity {
  private let files: TLSFiles
  private var changeTimes: [timespec]
  private(set) var context: TLSServerContext

  /// Fails with a sentence about what is wrong with the files.
  init(_ files: TLSFiles) throws(HTTPServerError) {
    self.files = files
    changeTimes = Self.changeTimes(of: files)
    do throws(TLSFilesError) { context = try TLSServerContext(files) } catch {
      throw .badCertificate(file: error.file, detail: error.detail)
    }
  }

  /// Takes changed files; keeps what there is while they are not in order, as in the middle of being replaced.
  func refresh() {
    let times = Self.changeTimes(of: files)
    guard !zip(times, changeTimes).allSatisfy({ $0.tv_sec == $1.tv_sec && $0.tv_nsec == $1.tv_nsec }),
      let new = try? TLSServerContext(files)
    else { return }
    changeTimes = times
    context = new
  }

  private static func changeTimes(of files: TLSFiles) -> [timespec] {
    [files.certificate, files.privateKey].map { path in
      var status = stat()
      return stat(path, &status) == 0 ? status.st_mtim : timespec()
    }
  }
}
