import { ConfigError, loadConfig } from '../../common/config/load-config.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { MailConfig } from './mail.config.js';
import { SmtpService } from './smtp.service.js';

const load = (env: Record<string, string>) => loadConfig([MailConfig], env).get(MailConfig);
const SERVER = { SMTP_HOST: 'mail.example.org', MAIL_FROM: 'plumbline@example.org' };

describe('the settings of the mail server', () => {
  it('are empty by default, and mail is then not configured', () => {
    expect(new SmtpService(load({}), new ServerConfig()).isConfigured).toBe(false);
  });

  it('use the default port of the encryption', () => {
    expect(load(SERVER)).toMatchObject({ security: 'starttls', port: 587 });
    expect(load({ ...SERVER, SMTP_SECURITY: 'tls' }).port).toBe(465);
    expect(load({ ...SERVER, SMTP_SECURITY: 'tls', SMTP_PORT: '2465' }).port).toBe(2465);
  });

  it.each([
    [{ SMTP_HOST: 'mail.example.org' }, 'MAIL_FROM: is needed when SMTP_HOST is set'],
    [{ ...SERVER, MAIL_FROM: 'a@example.org, b@example.org' }, 'MAIL_FROM: "a@example.org, b@example.org" must be an'],
    [{ ...SERVER, SMTP_USERNAME: 'me' }, 'SMTP_PASSWORD: SMTP_USERNAME and SMTP_PASSWORD must be set together'],
    [{ ...SERVER, SMTP_PASSWORD: 'secret' }, 'SMTP_USERNAME: SMTP_USERNAME and'],
    [{ ...SERVER, SMTP_SECURITY: 'ssl' }, 'SMTP_SECURITY: "ssl" must be one of none, starttls, tls'],
    [{ OPERATOR_EMAIL: 'nobody' }, 'OPERATOR_EMAIL: "nobody" must be an e-mail address'],
  ])('are rejected if invalid: %j', (env, message) => {
    expect(() => load(env)).toThrow(message);
  });

  it('prevent the start if the file of certificate authorities is unreadable or invalid', () => {
    const config = load({ ...SERVER, SMTP_CA_FILE: '/nowhere.pem' });
    expect(() => new SmtpService(config, new ServerConfig())).toThrow(ConfigError);
    const other = load({ ...SERVER, SMTP_CA_FILE: import.meta.filename });
    expect(() => new SmtpService(other, new ServerConfig())).toThrow('SMTP_CA_FILE');
  });
});
