#!/usr/bin/env bash
# The life of an organisation, from sign-up to deletion, with nothing but curl.
#   BASE      address of the API, such as http://localhost:3000/api
#   INGEST    address for senders, such as http://localhost:3000
#   MAIL_DIR  where mails arrive, one file each: <address>.<number>.txt
#   FORM      json, or form for application/x-www-form-urlencoded
# Every step says what it does; the first answer that is not as expected ends the script.
set -euo pipefail

: "${BASE:?}" "${INGEST:?}" "${MAIL_DIR:?}"
FORM=${FORM:-json}
PASSWORD='correct horse battery'
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
ANSWER=$WORK/answer.json
STATUS=

say() { printf '%s\n' "- $*"; }
die() {
  printf 'FAILED: %s\n' "$*" >&2
  [ -s "$ANSWER" ] && cat "$ANSWER" >&2
  exit 1
}

# fields NAME=VALUE...: as a JSON object. Values that are numbers, true, false, null or lists are taken as such; a code is a
# text of digits.
fields() {
  node -e '
    const isJson = (text) => /^(0|-?[1-9]\d*|true|false|null|\[.*\]|\{.*\})$/s.test(text);
    const pairs = process.argv.slice(1).map((pair) => { const at = pair.indexOf("="); return [pair.slice(0, at), pair.slice(at + 1)]; });
    console.log(JSON.stringify(Object.fromEntries(pairs.map(([name, text]) => [name, name !== "code" && isJson(text) ? JSON.parse(text) : text]))));
  ' -- "$@"
}

# call WANTED-STATUS METHOD PATH [NAME=VALUE...]: with the credential in $CREDENTIAL (a header, or empty) and the cookies of $JAR.
CREDENTIAL=
JAR=
call() {
  local wanted=$1 method=$2 path=$3
  shift 3
  local arguments=(--silent --show-error --output "$ANSWER" --write-out '%{http_code}' --request "$method")
  [ -n "$CREDENTIAL" ] && arguments+=(--header "$CREDENTIAL")
  [ -n "$JAR" ] && arguments+=(--cookie "$JAR" --cookie-jar "$JAR" --header 'Sec-Fetch-Site: same-origin')
  if [ "$method" = GET ] || [ "$method" = DELETE ]; then
    arguments+=(--get)
    for pair in "$@"; do arguments+=(--data-urlencode "$pair"); done
  elif [ $# -gt 0 ] && [ "$FORM" = json ]; then
    arguments+=(--header 'Content-Type: application/json' --data-binary "$(fields "$@")")
  else
    for pair in "$@"; do arguments+=(--data-urlencode "$pair"); done
  fi
  STATUS=$(curl "${arguments[@]}" "$BASE$path")
  [ "$STATUS" = "$wanted" ] || die "$method $path answered $STATUS instead of $wanted"
}

# pick PATH: a member of the last answer, such as data.session.id
pick() {
  node -e '
    const answer = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    const found = process.argv[2].split(".").reduce((value, key) => value?.[key], answer);
    console.log(found === undefined ? "" : typeof found === "object" ? JSON.stringify(found) : String(found));
  ' "$ANSWER" "$1"
}

# expect PATH VALUE
expect() {
  local found
  found=$(pick "$1")
  [ "$found" = "$2" ] || die "$1 is \"$found\" instead of \"$2\""
}

# mail ADDRESS NUMBER: waits for the mail and prints its text.
mail() {
  local file="$MAIL_DIR/$1.$2.txt"
  for _ in $(seq 1 300); do
    [ -s "$file" ] && cat "$file" && return
    sleep 0.1
  done
  die "no mail $2 for $1"
}

# link_part NAME: a parameter of the first link in the text on standard input.
link_part() {
  node -e '
    const text = require("node:fs").readFileSync(0, "utf8");
    const links = [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => new URL(link));
    const found = links.map((link) => link.searchParams.get(process.argv[1])).find((value) => value !== null);
    if (found === undefined) { console.error(`no ${process.argv[1]} in: ${text}`); process.exit(1); }
    console.log(found);
  ' "$1"
}

as_session() { CREDENTIAL="X-Session-Id: $1"; }
anonymous() { CREDENTIAL=; }

ANN="ann-$FORM@example.org"
BOB="bob-$FORM@example.org"

say 'Ann signs up, is mailed a link, and sets her password'
call 200 POST /signup/selfserve "email=$ANN" user_name=Ann org_name='Example Ltd' timezone=Europe/Oslo
expect data.verification_sent true
expect data.user.state invited
token=$(mail "$ANN" 1 | link_part token)
call 400 POST /signup/verify "email=$BOB" "verification_token=$token" "password_1=$PASSWORD" "password_2=$PASSWORD"
expect data.error.code verification_failed
call 400 POST /signup/verify "email=$ANN" "verification_token=$token" password_1=password1234 password_2=password1234
expect data.error.details.0.code weak_password
call 200 POST /signup/verify "email=$ANN" "verification_token=$token" "password_1=$PASSWORD" "password_2=$PASSWORD"
ann=$(pick data.session.id)
expect data.session.user.admin true
call 410 POST /signup/verify "email=$ANN" "verification_token=$token" "password_1=$PASSWORD" "password_2=$PASSWORD"

say 'She looks around: an organisation without data'
as_session "$ann"
call 200 GET /user/info
ann_id=$(pick data.user.id)
call 200 GET /org/info
expect data.org.name 'Example Ltd'
expect data.org.onboarding_status_id 1
call 200 GET /org/overview
call 200 GET /progress

say 'She changes settings: name, analysis variables, recipients'
call 200 PUT /org name='Example Limited' retention_2_period_seconds=31536000 "email_users=$([ "$FORM" = json ] && echo "[$ann_id]" || echo "$ann_id")"
expect data.org.name 'Example Limited'
expect data.analysis_variables.retention_2_period_seconds 31536000
call 400 PUT /org retention_1_resolution_seconds=7 timezone=Mars/Base
[ "$(pick data.error.details | node -e 'console.log(JSON.parse(require("node:fs").readFileSync(0)).length)')" = 2 ] || die 'both problems are reported'

say 'She makes a token and sends a point'
call 200 POST /org/tokens name=sender permissions=ingest
sender=$(pick data.token.id)
sender_ref=$(pick data.token.ref)
call 200 POST /org/tokens name=reader permissions=read
reader=$(pick data.token.id)
[ "$(curl --silent --output /dev/null --write-out '%{http_code}' --header "X-Auth-Token: $sender" \
  --header 'Content-Type: application/json' --data '{"metric":"till.sales","value":42}' "$INGEST/ingest/metrics")" = 204 ] || die 'the point is taken'
CREDENTIAL="X-Auth-Token: $reader"
for _ in $(seq 1 100); do
  call 200 GET /metrics
  [ "$(pick data.total)" = 1 ] && break
  sleep 0.1
done
expect data.metrics.0.name till.sales
call 403 GET /audit
expect data.error.code permission_denied

say 'She invites Bob, who sets his password'
as_session "$ann"
call 200 POST /org/users "email=$BOB" name=Bob
expect data.user.state invited
expect data.invite_sent true
bob_id=$(pick data.user.id)
call 409 POST /org/users "email=$BOB"
invitation=$(mail "$BOB" 1 | link_part token)
anonymous
call 200 POST /signup/verify "email=$BOB" "verification_token=$invitation" "password_1=$PASSWORD" "password_2=$PASSWORD"
bob=$(pick data.session.id)

say 'Bob is no administrator: he sees no addresses, no whole tokens, and changes no settings'
as_session "$bob"
call 403 PUT /org name=Mine
call 200 GET /org/users
[ "$(pick data.users | grep -c "$ANN")" = 0 ] || die 'addresses of others are hidden'
call 200 GET /org/tokens
[ "$(pick data.tokens | grep -c "$sender")" = 0 ] || die 'tokens are masked'
call 200 PUT /org alerts_muted_minutes=30
expect data.org.alert_muting.muted true
call 200 PUT /org alerts_muted_minutes=0
expect data.org.alert_muting.muted false
call 200 POST /user/logout
call 401 GET /user/info
expect data.error.code session_expired

say 'Bob logs in from elsewhere and needs the code that he is mailed'
anonymous
JAR="$WORK/bob.cookies"
call 401 POST /login "email=$BOB" 'password=not his password'
expect data.error.code login_failed
call 200 POST /login "email=$BOB" "password=$PASSWORD"
expect data.validation_required true
expect data.session null
call 401 GET /user/info
call 401 POST /login/validateclient code=000000
text=$(mail "$BOB" 2)
code=$(link_part code <<<"$text")
call 200 POST /login/validateclient "code=$code"
call 200 GET /user/info
expect data.user.name Bob
say 'The next login from the same browser needs none'
call 200 POST /user/logout
call 200 POST /login "email=$BOB" "password=$PASSWORD"
expect data.validation_required false

say 'He has forgotten his password'
call 200 POST /login/forgotpassword "email=nobody-$FORM@example.org"
call 200 POST /login/forgotpassword "email=$BOB"
reset=$(mail "$BOB" 3 | link_part token)
call 400 POST /login/resetpassword "token=$reset" new_password_1='a wholly new one' new_password_2='a wholly other one'
call 200 POST /login/resetpassword "token=$reset" new_password_1='a wholly new one' new_password_2='a wholly new one'
call 410 POST /login/resetpassword "token=$reset" new_password_1='a wholly new one' new_password_2='a wholly new one'
call 401 GET /user/info
mail "$BOB" 4 >/dev/null
JAR=

say 'Ann changes her address and her password'
as_session "$ann"
call 200 PUT /user name='Ann Example' "email=ann.new-$FORM@example.org" "password=$PASSWORD"
expect data.email_pending "ann.new-$FORM@example.org"
expect data.user.email "$ANN"
confirmation=$(mail "ann.new-$FORM@example.org" 1 | link_part token)
anonymous
call 200 POST /user/confirmemail "token=$confirmation"
as_session "$ann"
call 200 GET /user/info
expect data.user.email "ann.new-$FORM@example.org"
call 401 PUT /user/password old_password='not the old one' new_password_1='the second password' new_password_2='the second password'
call 200 PUT /user/password "old_password=$PASSWORD" new_password_1='the second password' new_password_2='the second password'
changed=$(pick status.session_id)
call 401 GET /user/info
as_session "$changed"
call 200 GET /user/info

say 'She takes the sending token back: within five seconds it is dead'
call 200 DELETE "/org/tokens/ref:$sender_ref"
for _ in $(seq 1 50); do
  gone=$(curl --silent --output /dev/null --write-out '%{http_code}' --header "X-Auth-Token: $sender" \
    --header 'Content-Type: application/json' --data '{"metric":"till.sales","value":42}' "$INGEST/ingest/metrics")
  [ "$gone" = 401 ] && break
  sleep 0.1
done
[ "$gone" = 401 ] || die 'the removed token still sends'

say 'She makes Bob an administrator, then disables and removes him; the last administrator stays'
call 200 PUT "/org/users/$bob_id" admin=true
call 200 PUT "/org/users/$bob_id" admin=false state=disabled
call 409 PUT "/org/users/$ann_id" admin=false
expect data.error.code last_admin
call 200 DELETE "/org/users/$bob_id"
call 200 DELETE "/org/users/$bob_id"

say 'Everything is in the audit log, and no secret is'
call 200 GET /audit limit=1000
for action in org.update token.create token.delete user.invite user.remove; do
  grep -q "\"$action\"" "$ANSWER" || die "no $action in the audit log"
done
entries=$(pick data.entries)
for secret in "$PASSWORD" "$sender" "$reader" "$invitation" "$reset" "$ann" "$changed" "$code"; do
  ! grep -qF "$secret" <<<"$entries" || die 'a secret is in the audit log'
done
call 200 GET /org/events limit=1000

say 'She deletes her account and the organisation with it'
call 409 POST /user/delete 'password=the second password'
expect data.error.code last_admin
call 200 POST /user/delete 'password=the second password' delete_org=true
call 401 GET /user/info
anonymous
call 401 POST /login "email=ann.new-$FORM@example.org" 'password=the second password'
CREDENTIAL="X-Auth-Token: $reader"
for _ in $(seq 1 60); do
  STATUS=$(curl --silent --output "$ANSWER" --write-out '%{http_code}' --header "$CREDENTIAL" "$BASE/metrics")
  [ "$STATUS" = 401 ] && break
  sleep 0.1
done
[ "$STATUS" = 401 ] || die 'a token of the deleted organisation still reads'

say 'Her address is free again'
anonymous
call 200 POST /signup/selfserve "email=ann.new-$FORM@example.org" user_name=Ann org_name='Second Try' timezone=UTC
say "The life of an organisation by $FORM went as it should"
