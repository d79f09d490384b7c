import Foundation
import TestSupport
import TerminalHarness

/// A TLS proxy for a server on this machine, with its own certificate authority.
final class SecureProxy {
  /// The Python interpreter that runs the proxy, or `nil` if none is installed.
  static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The port at which the proxy listens.
  let port: Int
  /// The file of the certificate authority's certificate.
  let authority: String
  private let program: PipedProgram

  /// Creates the certificates and starts to listen.
  ///
  /// - Parameter name: The subject of the certificate, an address or a name in OpenSSL's notation.
  init(before home: ServerFixture, for name: String = "IP:127.0.0.1") throws {
    authority = home.folder.file("authority-\(name.count).pem")
    let certificate = home.folder.file("server-\(name.count).pem")
    let script = """
      set -e
      cd "$1"
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=A school" \\
        -addext basicConstraints=critical,CA:TRUE -keyout authority.key -out "$2"
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=server" -keyout server.key -out request
      echo "subjectAltName=$4" >names
      openssl x509 -req -in request -CA "$2" -CAkey authority.key -CAcreateserial -days 2 -extfile names -out "$3"
      cat server.key >>"$3"
      """
    let made = try home.run("/bin/sh", ["-c", script, "sh", home.folder.path, authority, certificate, name])
    guard made.code == 0 else { throw ServerFixture.Unexpected(answer: made) }
    let relay = """
      import select, socket, ssl, sys, threading
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain(sys.argv[1])
      listener = socket.create_server(("127.0.0.1", 0))
      print(listener.getsockname()[1], flush=True)
      def serve(client):
          try:
              secure = context.wrap_socket(client, server_side=True)
              server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
              while True:
                  ready = [secure] if secure.pending() else select.select([secure, server], [], [])[0]
                  for one, other in (secure, server), (server, secure):
                      if one in ready:
                          data = one.recv(65536)
                          if not data:
                              return
                          other.sendall(data)
          except OSError:
              return
      while True:
          threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
      """
    program = try PipedProgram(
      Self.python!, ["-c", relay, certificate, String(home.port)], environment: ["PATH": "/usr/bin:/bin"])
    port = Int(try program.readLine() ?? "") ?? 0
  }
}
