import { Mailbox } from '../../../../test/support/mailbox.js';
import { AreaApp, type AreaAppOptions } from '../../../../test/support/area-app.js';
import { HandClock } from '../../../../test/support/hand-clock.js';
import { MailDeliveryModule } from './mail-delivery.module.js';
import { type Mail } from './mail.types.js';
import { Mailer } from './mailer.service.js';

class MailApp extends AreaApp {
  static async create({ clock = new HandClock(), ...options }: AreaAppOptions = {}): Promise<MailApp> {
    return new MailApp(await this.start([MailDeliveryModule], { ...options, clock }), clock);
  }

  get mailer(): Mailer {
    return this.get(Mailer);
  }
}

const aMail = (overrides: Partial<Mail> = {}): Mail => ({
  to: 'ann@example.org',
  subject: 'Hello',
  content: { heading: 'Hello', paragraphs: ['How are you?'] },
  orgId: null,
  ...overrides,
});

describe('Mail', () => {
  let mailbox: Mailbox;
  let app: MailApp;
  afterEach(async () => {
    await app.close();
    await mailbox.close();
  });

  it('brings a queued mail to the server', async () => {
    mailbox = await Mailbox.start();
    app = await MailApp.create({ env: mailbox.env });
    await app.mailer.queue(aMail());
    const mail = await mailbox.next('ann@example.org');
    expect(mail).toMatchObject({ subject: 'Hello', from: { name: 'Plumbline', address: 'plumbline@example.org' } });
    expect(mail.text).toContain('How are you?');
    expect(mail.html).toContain('How are you?');
  });
});
