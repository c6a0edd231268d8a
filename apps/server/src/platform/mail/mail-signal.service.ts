import { Injectable } from '@nestjs/common';

/** Notifies the delivery of this process, if it has one, that there may be something to send. */
@Injectable()
export class MailSignalService {
  private listener: () => void = () => undefined;

  onMail(listener: () => void): void {
    this.listener = listener;
  }

  mailWaits(): void {
    this.listener();
  }
}
