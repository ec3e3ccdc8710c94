<#
.SYNOPSIS
Installs acreta {{version}} for this user, without an administrator's rights.
.DESCRIPTION
Downloads the archive, checks it against the sum below, and puts acreta.exe into a folder that it adds to your path.
ACRETA_INSTALL_DIR names another folder, ACRETA_DOWNLOAD_URL another place with the archive.
.PARAMETER To
Folder of the program.
.PARAMETER Uninstall
Disconnects the agents, stops the daemon, removes the program and the entry in your path.
#>
param(
    [string]$To = $(if ($env:ACRETA_INSTALL_DIR) { $env:ACRETA_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\acreta' }),
    [switch]$Uninstall
)
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
# The bar of Windows PowerShell slows a download down to a tenth.
$ProgressPreference = 'SilentlyContinue'

$Version = '{{version}}'
$Url = if ($env:ACRETA_DOWNLOAD_URL) { $env:ACRETA_DOWNLOAD_URL } else { '{{download}}' }
# Where `acreta self update` looks for later versions.
$Latest = if ($env:ACRETA_DOWNLOAD_URL) { $env:ACRETA_DOWNLOAD_URL } else { '{{latest}}' }
# Who installed which program.
$Receipt = Join-Path $(if ($env:ACRETA_HOME) { $env:ACRETA_HOME } else { Join-Path $env:USERPROFILE '.acreta' }) 'install.json'
$Sum = '{{sha256_win32_x64}}'
$Name = "acreta-$Version-x86_64-pc-windows-gnu"
$Program = Join-Path $To 'acreta.exe'

function Get-UserPath {
    @([Environment]::GetEnvironmentVariable('Path', 'User') -split ';' | Where-Object { $_ })
}

function Set-UserPath([string[]]$Folders) {
    [Environment]::SetEnvironmentVariable('Path', ($Folders -join ';'), 'User')
}

if ($Uninstall) {
    if (-not (Test-Path -LiteralPath $Program)) { throw "there is no acreta.exe in '$To'; name its folder with -To" }
    & $Program init --undo
    if ($LASTEXITCODE -ne 0) { throw 'the agents could not be disconnected; nothing was removed' }
    & $Program down
    Remove-Item -LiteralPath $Program
    foreach ($Left in $Receipt, (Join-Path $To 'acreta.old.exe')) {
        if (Test-Path -LiteralPath $Left) { Remove-Item -LiteralPath $Left }
    }
    "removed $Program"
    $Folders = Get-UserPath
    if ($Folders -contains $To) {
        Set-UserPath @($Folders | Where-Object { $_ -ne $To })
        "removed $To from your path"
    }
    "kept: $HOME\.acreta (archived sessions, settings), memory in your repositories (.acreta), and the cache"
    return
}

if (-not [Environment]::Is64BitOperatingSystem) { throw 'there is no archive for 32-bit Windows' }
$Scratch = Join-Path ([IO.Path]::GetTempPath()) ('acreta-install-' + [Guid]::NewGuid())
New-Item -ItemType Directory -Path $Scratch | Out-Null
try {
    $Archive = Join-Path $Scratch "$Name.zip"
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
    Invoke-WebRequest -UseBasicParsing -Uri "$Url/$Name.zip" -OutFile $Archive
    $Found = (Get-FileHash -LiteralPath $Archive -Algorithm SHA256).Hash.ToLowerInvariant()
    if ($Found -ne $Sum) { throw "the checksum of $Name.zip is wrong; nothing was installed`n  expected $Sum`n  found    $Found" }
    Expand-Archive -LiteralPath $Archive -DestinationPath $Scratch
    $New = Join-Path $Scratch "$Name\acreta.exe"
    & $New --version | Out-Null
    if ($LASTEXITCODE -ne 0) { throw 'the program does not run on this system; nothing was installed' }
    New-Item -ItemType Directory -Force -Path $To | Out-Null
    # A program that runs cannot be replaced: stop the daemon before the update.
    if (Test-Path -LiteralPath $Program) { & $Program down }
    Move-Item -Force -LiteralPath $New -Destination $Program
} finally {
    Remove-Item -Recurse -Force -LiteralPath $Scratch
}
New-Item -ItemType Directory -Force -Path (Split-Path $Receipt) | Out-Null
$Record = @{ program = $Program; version = $Version; url = $Latest } | ConvertTo-Json
# Without the mark that `Set-Content` of Windows PowerShell puts before UTF-8.
[IO.File]::WriteAllText($Receipt, $Record)
"installed acreta ${Version}: $Program"
"  from $Url/$Name.zip, sha256 $Sum"
$Folders = Get-UserPath
if ($Folders -notcontains $To) {
    Set-UserPath ($Folders + $To)
    "  added $To to your path; a new terminal sees it"
}
'next: `acreta init` in a repository; later `acreta self update`. To remove it: this script with -Uninstall'
