/**
 * Sends one request to the API and reads the whole answer; returns the duration in ms. Throws if the request is
 * refused.
 */
export async function timedAnswer(product, path, token) {
  const started = performance.now();
  const answer = await fetch(`${product.url}/api${path}`, { headers: { 'X-Auth-Token': token } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - started;
}
