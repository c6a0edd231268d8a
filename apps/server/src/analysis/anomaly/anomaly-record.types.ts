/** The record of an anomaly, for areas whose answers hold some. */
export { AnomalyDto } from './dto/anomaly.dto.js';
