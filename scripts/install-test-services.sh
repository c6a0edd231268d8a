#!/usr/bin/env bash
# Installs the Debian packages that tests and benchmarks run against (`npm run test:services`, `test:faults`, `test:cluster`, `bench:ingest`).
set -euo pipefail

packages=(prometheus prometheus-alertmanager curl collectd-core libyajl2 victoria-metrics libfaketime chromium)
# Networks of their own for `test:cluster`, and what stands before the processes there.
packages+=(iproute2 haproxy)
# The stores that sources read.
packages+=(influxdb graphite-web mariadb-server)
# The engine of the point log beside PostgreSQL.
packages+=(nats-server)
# They check the files of deploy/compose.yaml and deploy/systemd, without an engine and without being in charge.
packages+=(docker-compose systemd)
# What the chart for Helm is rendered with.
packages+=(golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev)
# Any kubectl will do, as long as it calls a folder a resource (from 1.21 on).
command -v kubectl >/dev/null || packages+=(kubernetes-client)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "test services: ${packages[*]} are installed"
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo"

# Debian starts a daemon when it installs it; the tests start their own with their own configuration.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null
  $sudo chmod +x "$policy"
  trap '$sudo rm -f "$policy"' EXIT
fi
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}"
