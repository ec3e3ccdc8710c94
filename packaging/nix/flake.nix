{
  description = "{{description}}";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
        x86_64-linux = { target = "x86_64-unknown-linux-musl"; sha256 = "{{sha256_linux_x64}}"; };
        aarch64-linux = { target = "aarch64-unknown-linux-musl"; sha256 = "{{sha256_linux_arm64}}"; };
        aarch64-darwin = { target = "aarch64-apple-darwin"; sha256 = "{{sha256_darwin_arm64}}"; };
        x86_64-darwin = { target = "x86_64-apple-darwin"; sha256 = "{{sha256_darwin_x64}}"; };
      };
    in
    {
      packages = builtins.mapAttrs
        (system: archive:
          let pkgs = nixpkgs.legacyPackages.${system}; in
          {
            default = pkgs.stdenvNoCC.mkDerivation {
              pname = "acreta";
              version = "{{version}}";
              src = pkgs.fetchurl {
                url = "{{download}}/acreta-{{version}}-${archive.target}.tar.xz";
                inherit (archive) sha256;
              };
              # Static, without symbols: there is nothing to patch or to strip.
              dontFixup = true;
              installPhase = ''
                install -D --mode=755 acreta $out/bin/acreta
                install -D --mode=644 --target-directory=$out/share/doc/acreta LICENSE-* THIRD-PARTY-LICENSES.txt
              '';
              meta = {
                description = "{{description}}";
                homepage = "{{repository}}";
                license = with pkgs.lib.licenses; [ asl20 mit ];
                mainProgram = "acreta";
              };
            };
          })
        archives;
    };
}
