export interface OutgoingRequest {
  /** http or https, without login. */
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** For everything together: name, connection, answer with its body. Default 10,000. */
  timeoutMs?: number;
  /** Longest body of an answer. Default 65,536. */
  maxBytes?: number;
}

/** Any answer of the other side: a redirect is an answer too, and is not followed. */
export interface OutgoingAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}
