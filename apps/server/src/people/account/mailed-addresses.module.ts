import { Module } from '@nestjs/common';
import { MailedAddressesService } from './mailed-addresses.service.js';

/**
 * Counts mails to addresses that people type, without the calls of the account area: for all areas that send such
 * mails.
 */
@Module({ providers: [MailedAddressesService], exports: [MailedAddressesService] })
export class MailedAddressesModule {}
