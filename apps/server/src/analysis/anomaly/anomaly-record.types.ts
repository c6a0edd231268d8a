/** The record of an anomaly, for areas whose answers hold one. */
export { AnomalyDto } from './dto/anomaly.dto.js';
