// A workbook with one sheet (XLSX): a ZIP archive without compression, and texts that are never read as formulas.
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1;
  return byte;
});

function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = CRC_TABLE[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return ~sum >>> 0;
}

// Writes numbers with the least significant byte first, as [value, number of bytes].
function packFields(...fields) {
  return Uint8Array.from(fields.flatMap(([value, size]) => Array.from({ length: size }, (_, i) => (value >>> (8 * i)) & 0xff)));
}

const DAY = 0x21; // 1 January 1980, the first day of the format: the same table gives the same file

function makeArchive(files) {
  const encoder = new TextEncoder();
  const parts = [], directory = [];
  let offset = 0, size = 0;
  for (const [name, text] of files) {
    const path = encoder.encode(name), data = encoder.encode(text);
    const facts = [[20, 2], [0x800, 2], [0, 2], [0, 2], [DAY, 2], [checksum(data), 4], [data.length, 4], [data.length, 4], [path.length, 2], [0, 2]];
    const entry = packFields([0x02014b50, 4], [20, 2], ...facts, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]);
    parts.push(packFields([0x04034b50, 4], ...facts), path, data);
    directory.push(entry, path);
    offset += 30 + path.length + data.length;
    size += entry.length + path.length;
  }
  const end = packFields([0x06054b50, 4], [0, 4], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]);
  return [...parts, ...directory, end];
}

const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const LONGEST_TEXT = 32_767; // characters of a cell

function escapeXml(text) {
  return text.slice(0, LONGEST_TEXT).replace(NOT_XML, "\ufffd").replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_").replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
}

function writeCell(value) {
  if (typeof value === "number") return Number.isFinite(value) ? `<c><v>${value}</v></c>` : "<c/>";
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
}

// Makes the parts of a file from rows of texts and numbers.
function makeWorkbook(rows) {
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packages = "http://schemas.openxmlformats.org/package/2006";
  const sheets = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const link = (type, target) => `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/${type}" Target="${target}"/></Relationships>`;
  const content = rows.map((row) => `<row>${row.map(writeCell).join("")}</row>`).join("");
  const part = (path, type) => `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  return makeArchive([
    ["[Content_Types].xml", `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`
      + `${part("xl/workbook.xml", "sheet.main")}${part("xl/sheet.xml", "worksheet")}</Types>`],
    ["_rels/.rels", link("officeDocument", "xl/workbook.xml")],
    ["xl/workbook.xml", `${head}<workbook xmlns="${sheets}" xmlns:r="${office}"><sheets><sheet name="table" sheetId="1" r:id="rId1"/></sheets></workbook>`],
    ["xl/_rels/workbook.xml.rels", link("worksheet", "sheet.xml")],
    ["xl/sheet.xml", `${head}<worksheet xmlns="${sheets}"><sheetData>${content}</sheetData></worksheet>`],
  ]);
}
