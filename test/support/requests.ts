import express, { type Request } from 'express';

/** An Express request without a connection, for code that reads only its head, URL and parsed body. */
export function aRequest(
  given: { url?: string; method?: string; headers?: Record<string, string>; body?: object } = {},
): Request {
  const { url = '/', method = 'GET', headers = {}, body } = given;
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const length = body === undefined ? {} : { 'content-length': String(JSON.stringify(body).length) };
  const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
  const own = { originalUrl: url, url, method, headers: { ...Object.fromEntries(lowerCase), ...length }, body, query };
  const descriptors = Object.getOwnPropertyDescriptors({ ...own, res: {} });
  return Object.create(express.request, descriptors) as Request;
}
