class Acreta < Formula
  desc "{{description}}"
  homepage "{{repository}}"
  version "{{version}}"
  license any_of: ["Apache-2.0", "MIT"]

  on_macos do
    on_arm do
      url "{{download}}/acreta-{{version}}-aarch64-apple-darwin.tar.xz"
      sha256 "{{sha256_darwin_arm64}}"
    end
    on_intel do
      url "{{download}}/acreta-{{version}}-x86_64-apple-darwin.tar.xz"
      sha256 "{{sha256_darwin_x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{download}}/acreta-{{version}}-aarch64-unknown-linux-musl.tar.xz"
      sha256 "{{sha256_linux_arm64}}"
    end
    on_intel do
      url "{{download}}/acreta-{{version}}-x86_64-unknown-linux-musl.tar.xz"
      sha256 "{{sha256_linux_x64}}"
    end
  end

  def install
    bin.install "acreta"
    generate_completions_from_executable(bin/"acreta", "completions")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/acreta --version")
  end
end
