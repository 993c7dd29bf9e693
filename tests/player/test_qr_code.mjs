// Which address a QR code carries, and where it works.
import assert from "node:assert/strict"
import test from "node:test"
import { dropPresenting, isOwnAddress } from "../../assets/player/shared/qr_code.js"

test("an address keeps all parameters but those of presenting, and this computer's hosts are recognised", () => {
  assert.equal(dropPresenting("http://a.org/compare?present=1&sentence=%3Cb%3E&text=key"), "http://a.org/compare?sentence=%3Cb%3E&text=key")
  const hosts = ["localhost:8501", "a.localhost", "127.0.0.1:8501", "0.0.0.0", "[::1]", "192.168.0.7:8501", "127.example.org", "localhost.example.org"]
  assert.deepEqual(hosts.filter((host) => isOwnAddress(`http://${host}/`)), hosts.slice(0, 5))
})
