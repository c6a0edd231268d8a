import { Module } from '@nestjs/common';
import { MailedAddresses } from './mailed-addresses.service.js';

/** Counts mails to addresses that somebody has typed, without the calls: for all areas that send such mails. */
@Module({ providers: [MailedAddresses], exports: [MailedAddresses] })
export class MailedAddressesModule {}
