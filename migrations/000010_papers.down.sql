DROP TABLE quote_file;
DROP TABLE file_content;
DROP TABLE quote_paper;
