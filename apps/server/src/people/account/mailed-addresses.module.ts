import { Module } from '@nestjs/common';
import { MailedAddressesService } from './mailed-addresses.service.js';

/** Counts mails to addresses that a person has typed, without the calls: for all areas that send such mails. */
@Module({ providers: [MailedAddressesService], exports: [MailedAddressesService] })
export class MailedAddressesModule {}
