#!/usr/bin/env bash
# Installs the Debian packages that tests and benchmarks run against (`npm run test:services`, `test:faults`, `test:cluster`, `bench:ingest`).
set -euo pipefail

packages=(prometheus prometheus-alertmanager curl collectd-core libyajl2 victoria-metrics libfaketime chromium)
# Network namespaces for `test:cluster`, and the load balancer there.
packages+=(iproute2 haproxy)
# The stores that sources read.
packages+=(influxdb graphite-web mariadb-server)
# The alternative to PostgreSQL for the point log.
packages+=(nats-server)
# They validate deploy/compose.yaml and deploy/systemd, without a container engine and without systemd running.
packages+=(docker-compose systemd)
# Renders the Helm chart.
packages+=(golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev)
# Any kubectl that supports folders as resources (1.21 or newer).
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
