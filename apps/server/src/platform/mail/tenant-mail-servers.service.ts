import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Transporter } from 'nodemailer';
import { MINUTE } from '../../common/time.js';
import { OutgoingClientService } from '../outgoing/outgoing-client.service.js';
import { openTransport, sendBy } from './smtp-transport.js';
import { type ComposedMail, type SmtpOptions } from './smtp.types.js';

const MAX_SERVERS = 50;
/** Connections to a server that is not used are closed. */
const IDLE_MS = 5 * MINUTE * 1000;

/**
 * Mail servers that organisations have configured for themselves, within the operator's rules for outgoing requests.
 * Connections are kept open while they are in use.
 */
@Injectable()
export class TenantMailServersService implements OnApplicationShutdown {
  private readonly transports = new LRUCache<string, Transporter>({
    max: MAX_SERVERS,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (transport) => {
      transport.close();
    },
  });

  constructor(private readonly outgoing: OutgoingClientService) {}

  /**
   * Resolves with the Message-ID when the server has accepted the mail.
   * @throws MailRefusedError
   */
  send(orgId: number, server: SmtpOptions, mail: ComposedMail, signal?: AbortSignal): Promise<string> {
    // Changed settings count as another server; two organisations never share a connection.
    const key = createHash('sha256')
      .update(JSON.stringify([orgId, server]))
      .digest('base64');
    let transport = this.transports.get(key);
    if (transport === undefined) {
      const { host, port, security } = server;
      const encrypted = security !== 'none';
      transport = openTransport({ ...server, connect: () => this.outgoing.connect({ host, port, encrypted }) });
      this.transports.set(key, transport);
    }
    return sendBy(transport, mail, signal);
  }

  onApplicationShutdown(): void {
    this.transports.clear();
  }
}
