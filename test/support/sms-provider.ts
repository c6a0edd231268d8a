import { type Received, type Reply, StandIn } from './stand-in.js';

const FORM = /^application\/x-www-form-urlencoded(;|$)/;
const MEMBERS = ['To', 'From', 'Body'];

/** Stands in for the Messages resource of Twilio: account and token, form, numbers in E.164, error codes. */
export class SmsProvider extends StandIn {
  readonly sent: { to: string; from: string; body: string }[] = [];
  /** Numbers that have replied STOP. */
  readonly unsubscribed = new Set<string>();

  constructor(private readonly account: { sid: string; token: string }) {
    super();
  }

  protected judge({ method, path, headers, body }: Received): Reply {
    const { sid, token } = this.account;
    if (headers.authorization !== `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`)
      return refused(401, 20_003);
    if (method !== 'POST' || path !== `/2010-04-01/Accounts/${sid}/Messages.json`) return refused(404, 20_404);
    if (!FORM.test(headers['content-type'] ?? '')) return refused(400, 21_604);
    const form = new URLSearchParams(body);
    if ([...form.keys()].some((name) => !MEMBERS.includes(name))) return refused(400, 20_001);
    const [to, from, text] = MEMBERS.map((name) => form.get(name) ?? '') as [string, string, string];
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refused(400, 21_211);
    if (from === '') return refused(400, 21_603);
    if (text === '') return refused(400, 21_602);
    if (text.length > 1600) return refused(400, 21_617);
    if (this.unsubscribed.has(to)) return refused(400, 21_610);
    this.sent.push({ to, from, body: text });
    return { status: 201, body: { sid: `SM${'0'.repeat(31)}1`, status: 'queued', error_code: null } };
  }
}

const refused = (status: number, code: number): Reply => ({
  status,
  body: { code, message: 'refused', more_info: `https://www.twilio.com/docs/errors/${String(code)}`, status },
});
