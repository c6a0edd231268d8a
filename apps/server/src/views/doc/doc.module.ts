import { Module } from '@nestjs/common';
import { DocController } from './doc.controller.js';
import { DocService } from './doc.service.js';

/** The description of the API, generated from the running code. */
@Module({ controllers: [DocController], providers: [DocService], exports: [DocService] })
export class DocModule {}
