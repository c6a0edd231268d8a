/** The script for web pages as served: plain ES2015 JavaScript without dependencies. */
export const SENDER_SCRIPT = String.raw`/* Plumbline event sender. Counts what happens on a page:
 *   <script async src="https://HOST/api/js/eventsender.js" data-token="pl_..."></script>
 *   plumbline('checkout', { value: 42.5, properties: { page: 'cart' } });
 * Calls before the script is there are kept with:
 *   window.plumbline = window.plumbline || function () { (plumbline.q = plumbline.q || []).push(arguments); };
 */
(function () {
  'use strict';
  var script = document.currentScript;
  if (!script) return;
  var token = script.getAttribute('data-token');
  var address = script.src.replace(/\.js([?#].*)?$/, '');
  var early = (window.plumbline && window.plumbline.q) || [];
  var MAX_AT_ONCE = 100;
  var MAX_WAITING = 1000;
  var WAIT_MS = 1000;
  var waiting = [];
  var timer = null;
  var pauseUntil = 0;

  function send() {
    clearTimeout(timer);
    timer = null;
    if (!waiting.length) return;
    var rest = pauseUntil - Date.now();
    if (rest > 0) {
      timer = setTimeout(send, rest);
      return;
    }
    var events = waiting.splice(0, MAX_AT_ONCE);
    // text/plain, so that the browser does not have to ask before it sends; keepalive, so that it is sent when the page ends.
    fetch(address, {
      method: 'POST',
      mode: 'cors',
      credentials: 'omit',
      keepalive: true,
      headers: { 'Content-Type': 'text/plain' },
      body: JSON.stringify({ data: { token: token, events: events } }),
    }).then(
      function (answer) {
        if (answer.status === 429 || answer.status === 503) {
          pauseUntil = Date.now() + 1000 * (Number(answer.headers.get('Retry-After')) || 60);
          waiting = events.concat(waiting).slice(0, MAX_WAITING);
          if (timer === null) timer = setTimeout(send, WAIT_MS);
        }
      },
      function () {},
    );
    if (waiting.length) timer = setTimeout(send, WAIT_MS);
  }

  function plumbline(event, options) {
    var given = options || {};
    var one = { event: String(event) };
    if (given.count !== undefined) one.count = given.count;
    if (given.value !== undefined) one.value = given.value;
    if (given.properties !== undefined) one.properties = given.properties;
    if (waiting.length < MAX_WAITING) waiting.push(one);
    if (timer === null) timer = setTimeout(send, WAIT_MS);
  }

  window.plumbline = plumbline;
  for (var i = 0; i < early.length; i++) plumbline.apply(null, early[i]);
  if (script.hasAttribute('data-page-views')) plumbline('page_view');
  addEventListener('pagehide', send);
})();
`;
